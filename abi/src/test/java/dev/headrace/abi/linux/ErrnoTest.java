package dev.headrace.abi.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void everyConstantHasItsNameAndAMeaning() throws IllegalAccessException {
        for (Field field : Errno.class.getFields()) {
            int errno = field.getInt(null);
            assertEquals(field.getName(), Errno.name(errno));
            assertEquals(field.getName(), Errno.name(-errno));
            assertTrue(Errno.describe(errno).matches("E[A-Z]+ \\([a-z].+\\)"), Errno.describe(errno));
        }
    }

    @Test
    void anUnknownNumberIsShown() {
        assertEquals("errno 4000", Errno.name(-4000));
        assertEquals("ECONNRESET (connection reset by peer)", Errno.describe(Errno.ECONNRESET));
    }
}
