package dev.headrace.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the arrows between the modules, and the rules for names, over the compiled classes of all of them. */
class ArchitectureTest {
    /** Not on this module's class path, on purpose; the build compiles it before this test runs. */
    private static final Path PEERS = Path.of("..", "peers", "target", "classes");

    private static JavaClasses ours;

    @BeforeAll
    static void importClasses() {
        ours = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.headrace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abi", "engine", "lab", "cli"})
    void everyModuleIsSeenByTheseTests(String module) {
        assertThat(ours.stream().map(JavaClass::getPackageName)).anyMatch(name -> isIn(name, module));
    }

    @Test
    void abiKnowsTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("dev.headrace.abi..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.headrace.abi..", "java..", "org.jspecify..")
                .check(ours);
    }

    @Test
    void engineKnowsAbiAndTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("dev.headrace.engine..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.headrace.engine..", "dev.headrace.abi..", "java..", "org.jspecify..")
                .check(ours);
    }

    @Test
    void labKnowsNeitherTheCommandLineNorThePeers() {
        noClasses()
                .that()
                .resideInAPackage("dev.headrace.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.headrace.cli..", "dev.headrace.peers..", "picocli..", "io.netty..")
                .check(ours);
    }

    @Test
    void commandLineReachesThePeersOnlyAsProcesses() {
        noClasses()
                .that()
                .resideInAPackage("dev.headrace.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.headrace.peers..", "io.netty..")
                .check(ours);
    }

    @Test
    void peersShareNothingWithUs() {
        noClasses()
                .that()
                .resideInAPackage("dev.headrace.peers..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.headrace.abi..", "dev.headrace.engine..", "dev.headrace.lab..", "dev.headrace.cli..")
                .check(peers());
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.headrace.(**)").should().beFreeOfCycles().check(ours);
    }

    @Test
    void packagesOfThePeersHaveNoCycles() {
        slices().matching("dev.headrace.(**)").should().beFreeOfCycles().check(peers());
    }

    @Test
    void namesSayWhatATypeIs() {
        haveNamesThatSayWhatTheyAre(ours);
    }

    @Test
    void namesOfThePeersSayWhatATypeIs() {
        haveNamesThatSayWhatTheyAre(peers());
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> unmarked = ours.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackage)
                .filter(place -> !place.isAnnotatedWith(NullMarked.class))
                .map(place -> place.getName())
                .collect(Collectors.toSet());
        assertThat(unmarked).as("packages without @NullMarked").isEmpty();
    }

    private static void haveNamesThatSayWhatTheyAre(JavaClasses types) {
        noClasses()
                .should()
                .haveSimpleNameStartingWith("Abstract")
                .orShould()
                .haveNameMatching(".*(Impl|Utils?|Helpers?|Managers?)$")
                .check(types);
    }

    private static JavaClasses peers() {
        assumeTrue(Files.isDirectory(PEERS), () -> "the peers are not compiled: no " + PEERS.toAbsolutePath());
        return new ClassFileImporter().importPath(PEERS);
    }

    private static boolean isIn(String packageName, String module) {
        String root = "dev.headrace." + module;
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }
}
