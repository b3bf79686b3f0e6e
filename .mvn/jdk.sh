# Finds the first JDK that can build and run Headrace. Sourced by ./headrace and ./mvnw; POSIX sh.

jdk_release_min=25

# jdk_suits HOME: is this the home of a JDK (not only a runtime) of at least the release that we need?
jdk_suits() {
  [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  # Every JDK since 9 names its version in this file; reading it is much faster than starting it.
  jdk_release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  [ -n "$jdk_release" ] ||
    jdk_release=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  [ "${jdk_release:-0}" -ge "$jdk_release_min" ]
}

# jdk_home: prints the home of the first JDK that suits, or fails.
jdk_home() {
  jdk_on_path=$(command -v java 2>/dev/null) && jdk_on_path=$(readlink -f "$jdk_on_path") || jdk_on_path=
  for jdk_candidate in "${HEADRACE_JAVA_HOME:-}" "${JAVA_HOME:-}" "${jdk_on_path%/bin/java}" \
    /usr/lib/jvm/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* /opt/*; do
    if jdk_suits "$jdk_candidate"; then
      printf '%s\n' "$jdk_candidate"
      return 0
    fi
  done
  return 1
}
