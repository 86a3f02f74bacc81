package im.zonda.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The launcher builds the product when its sources have changed, says how far it is, and prepares
/// quick starts beside the first one. JDK, Maven and npm are scripts of the test's own.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherBuildTest {
  /// A JVM that says how it was called, and writes a start-up cache if asked to.
  private static final String JAVA =
      """
      #!/bin/sh
      for option in "$@"; do
        case $option in -XX:AOTCacheOutput=*) echo cache >"${option#*=}" ;; esac
      done
      echo "java runs: $*"
      """;

  /// Packs a product of one jar, with what the module protocol consists of.
  private static final String PACK =
      """
      mkdir -p app/target/zonda/lib protocol/target/product
      cat protocol/src/main/X.java >app/target/zonda/lib/zonda-app.jar
      echo >app/target/zonda/jvm.options
      """;

  @TempDir private Path folder;
  private BareMachine machine;

  @BeforeEach
  void tree() throws Exception {
    machine = new BareMachine(folder, "http://127.0.0.1:1");
    Path jdk = folder.resolve("system/usr/lib/jvm/jdk");
    BareMachine.write(jdk.resolve("bin/java"), JAVA);
    BareMachine.write(jdk.resolve("bin/javac"), "");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.9\"\n");
    source(
        "pom.xml",
        """
        <project>
          <modules>
            <module>protocol</module>
          </modules>
          <profiles><profile><modules>
            <module>testkit</module>
          </modules></profile></profiles>
        </project>
        """);
    source("protocol/src/main/X.java", "class X {}\n");
    maven(PACK);
  }

  private Path source(String path, String text) throws Exception {
    Path file = machine.root().resolve(path);
    BareMachine.write(file, text);
    return file;
  }

  /// Installs a Maven that notes each call in the file `calls` and then runs a script.
  private void maven(String script) throws Exception {
    machine.install(
        "mvn",
        "[ \"$1\" != -v ] || { echo 'Apache Maven 3.9.11'; exit; }\n"
            + "echo \"$MAVEN_OPTS $*\" >>'"
            + folder.resolve("calls")
            + "'\n"
            + script);
  }

  private List<String> calls() throws Exception {
    Path file = folder.resolve("calls");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /// Installs an npm that brings a chat, after a script.
  private void npm(String script) throws Exception {
    byte[] chat =
        machine.archive(
            Map.of("package/LICENSE", "MPL", "package/COPYRIGHT", "its", "package/dist/a.js", "x"));
    machine.setValue("chat_sha256", BareMachine.sha256(chat));
    Path tarball = Files.write(folder.resolve("chat.tgz"), chat);
    machine.install("npm", script + "cp '" + tarball + "' converse.js-14.0.0.tgz\n");
  }

  private Path fifo(String name) throws Exception {
    Path fifo = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  @Test
  void onlyTheProductIsBuiltAndOnlyOnce() throws Exception {
    assertThat(machine.run("version").said()).contains("java runs: ", "Main version");
    assertThat(machine.run("version").said()).startsWith("java runs: ");

    assertThat(calls())
        .singleElement()
        .asString()
        .startsWith("-XX:TieredStopAtLevel=1 ")
        .contains(" -Dzonda.product ")
        .endsWith(" package");
  }

  @Test
  void aChangeBuildsAgainIfItIsOfTheProduct() throws Exception {
    machine.run("version");
    source("testkit/src/main/Y.java", "class Y {}\n");
    machine.run("version");
    assertThat(calls()).hasSize(1);

    source("protocol/src/main/X.java", "class X { int changed; }\n");
    machine.run("version");

    assertThat(calls()).hasSize(2);
  }

  /// A start-up cache and the options of a server are not for a client.
  @Test
  void theLoadGeneratorHasOptionsOfItsOwn() throws Exception {
    machine.run("prepare");

    assertThat(machine.run("bench", "burst").said())
        .contains("app/target/zonda/bench.options ", " im.zonda.app.Main bench burst")
        .doesNotContain("jvm.options", "-XX:AOTCache");
  }

  /// Maven's `verify` packs into the same folder, maybe from other sources.
  @Test
  void aProductThatSomebodyElseHasMadeIsBuiltAgain() throws Exception {
    machine.run("version");
    source("app/target/zonda/lib/zonda-app.jar", "of other sources");

    machine.run("version");

    assertThat(calls()).hasSize(2);
    assertThat(machine.root().resolve("app/target/zonda/lib/zonda-app.jar"))
        .hasContent("class X {}");
  }

  @Test
  void testsBeginWithoutTheProductOfOtherSources() throws Exception {
    machine.run("version");
    machine.run("test");
    assertThat(machine.root().resolve("app/target/zonda/fingerprint")).exists();
    source("protocol/src/main/X.java", "class X { int changed; }\n");
    maven("ls app/target/zonda\n");

    machine.run("test");

    assertThat(machine.root().resolve("app/target/zonda")).doesNotExist();
  }

  @Test
  void theProgressIsInPlainLines() throws Exception {
    maven(
        """
        echo '[INFO] Building Zonda: protocol 0.1.0-SNAPSHOT   [2/10]'
        for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
          echo "[INFO] Downloaded from central: https://x/$n.pom (1 kB at 1 kB/s)"
          echo "[INFO] Downloaded from central: https://x/$n.jar (1 kB at 1 kB/s)"
        done
        echo '[INFO] Building Zonda: api 0.1.0-SNAPSHOT        [3/10]'
        """
            + PACK);
    machine.setValue("maven_files", "30");

    assertThat(machine.run("version").said())
        .contains(
            """
            zonda:   compiling protocol (2 of 10)
            zonda:   downloading libraries: 20 of at most 30
            zonda:   compiling api (3 of 10)
            """);
  }

  @Test
  void aDownloadThatFailsIsNamedAndTheNextCallGoesOn() throws Exception {
    maven(
        """
        echo '[ERROR] Failed to execute goal: Could not transfer artifact org.x:y:jar:1 from/to central (https://x): unknown host'
        exit 1
        """);

    BareMachine.Result failed = machine.run("version");

    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.said())
        .contains("unknown host")
        .contains("zonda: Maven could not download org.x:y:jar:1; is there a network")
        .endsWith("The next call continues the downloads\n");
    maven(PACK);
    assertThat(machine.run("version").said()).contains("java runs: ");
  }

  @Test
  void offlineTheMissingLibraryIsNamed() throws Exception {
    maven(
        """
        echo '[ERROR] Cannot access central (https://x) in offline mode and the artifact org.x:y:jar:1 has not been downloaded from it before.'
        exit 1
        """);

    assertThat(machine.run("--offline", "version").said())
        .endsWith(
            "zonda: the build needs org.x:y:jar:1, which is not on this machine; `zonda prepare`"
                + " with a network downloads it\n");
    assertThat(calls()).singleElement().asString().contains(" -B -o -T 1C ");
  }

  @Test
  void whatAnInterruptedBuildHasCompiledIsNotUsed() throws Exception {
    Path half = source("protocol/target/product/classes/Half.class", "");
    maven("echo '[ERROR] protocol/X.java: missing semicolon'; exit 1\n");
    assertThat(machine.run("version").said()).contains("missing semicolon", "the build failed");
    assertThat(half).exists();
    maven("kill -9 $$\n");
    assertThat(machine.run("version").code()).isEqualTo(1);
    assertThat(half).exists();
    maven(PACK);

    assertThat(machine.run("version").said()).contains("java runs: ");

    assertThat(half).doesNotExist();
  }

  /// Maven waits until npm runs, and npm until Maven has packed.
  @Test
  void theChatComesBesideMaven() throws Exception {
    Path npmRuns = fifo("npm-runs");
    Path packed = fifo("packed");
    maven("cat '" + npmRuns + "'\n" + PACK + "echo >'" + packed + "'\n");
    npm("echo >'" + npmRuns + "'\ncat '" + packed + "'\n");

    BareMachine.Result result = machine.run("version");

    assertThat(result.said())
        .contains("zonda: bringing the chat for browsers\n", "java runs: ")
        .doesNotContain("without the chat");
    assertThat(machine.root().resolve("app/target/zonda/web/chat/a.js")).hasContent("x");
  }

  @Test
  void twoProcessesBuildOnce() throws Exception {
    Path going = fifo("going");
    maven("cat '" + going + "'\n" + PACK);
    Process first = machine.start("version");
    try (BufferedReader said = first.inputReader()) {
      assertThat(said.readLine()).startsWith("zonda: building");
      Process second = machine.start("version");
      try (BufferedReader saidToo = second.inputReader()) {
        assertThat(saidToo.readLine())
            .isEqualTo("zonda: waiting for another process, which builds");
        Files.writeString(going, "");
        assertThat(saidToo.readLine()).startsWith("java runs: ");
        assertThat(said.lines()).last().asString().startsWith("java runs: ");
      }
    }
    assertThat(calls()).hasSize(1);
  }

  @Test
  void quickStartsArePreparedBesideTheFirstStart() throws Exception {
    machine.run("version");
    try (WatchService events = folder.getFileSystem().newWatchService()) {
      Path product = machine.root().resolve("app/target/zonda");
      product.register(events, StandardWatchEventKinds.ENTRY_DELETE);

      assertThat(machine.run("start").said())
          .startsWith("java runs: ")
          .doesNotContain("AOTCache", "preparing");

      while (Files.exists(product.resolve("zonda.aot.making"))) {
        events.take().reset();
      }
    }
    assertThat(machine.run("start").said()).contains("-XX:AOTCache=");
    assertThat(machine.run("version").said()).contains("-XX:AOTCache=");
  }

  @Test
  void packagesAreMadeOfTheProductThatIsBuilt() throws Exception {
    source("packaging/package", "#!/bin/sh\necho \"packing: $*\"\n");

    String said = machine.run("package", "archive", "sbom").said();

    assertThat(calls()).hasSize(1);
    assertThat(said)
        .endsWith(
            "packing: "
                + machine.root().resolve("app/target/zonda")
                + " "
                + folder.resolve("system/usr/lib/jvm/jdk")
                + " archive sbom\n");
    assertThat(machine.root().resolve("app/target/zonda/commit")).isEmptyFile(); // no git here
  }

  /// The server beside has the ports, and may have a database.
  @Test
  void theCacheIsMadeWithoutTheSettingsOfTheServer() throws Exception {
    Path seen = folder.resolve("seen");
    BareMachine.write(
        folder.resolve("system/usr/lib/jvm/jdk/bin/java"), "#!/bin/sh\nenv >'" + seen + "'\n");
    machine.setVariable("ZONDA_STORAGE__URL", "jdbc:postgresql://db.example/zonda");
    machine.setVariable("ZONDA_HTTP__LISTEN", "127.0.0.1:80");
    machine.setVariable("NOTIFY_SOCKET", "/run/systemd/notify");

    machine.run("prepare");

    assertThat(seen)
        .content()
        .contains("ZONDA_HTTP__LISTEN=127.0.0.1:0\n", "ZONDA_HTTP__LISTEN_TLS=127.0.0.1:0\n")
        .doesNotContain("ZONDA_STORAGE", "NOTIFY_SOCKET");
  }

  @Test
  void prepareWaitsForTheCache() throws Exception {
    npm("");
    assertThat(machine.run("prepare").said()).endsWith("zonda: preparing quick starts\n");
    assertThat(machine.run("start").said()).contains("-XX:AOTCache=");
    assertThat(machine.run("prepare").said()).isEmpty();
  }
}
