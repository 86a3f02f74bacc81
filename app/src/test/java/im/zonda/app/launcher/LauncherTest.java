package im.zonda.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The launcher downloads a JDK, Maven and the web chat where they are neither installed nor to be
/// had from a package manager.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LauncherTest {
  private static final String ARCHIVE = "OpenJDK25U-jdk_hotspot_25.9_9.tar.gz";
  private static final String JAVA = "#!/bin/sh\necho \"java runs: $*\"\n";
  private static final String RELEASE = "JAVA_VERSION=\"25.9\"\n";
  private static final Map<String, String> JDK =
      Map.of(
          "jdk-25.9+9/bin/java", JAVA, "jdk-25.9+9/bin/javac", JAVA, "jdk-25.9+9/release", RELEASE);

  @TempDir private Path folder;

  @FunctionalInterface
  private interface Conversation {
    void with(DownloadService service, BareMachine machine) throws Exception;
  }

  /// Runs a test on a machine with a distribution, whose service offers the JDK `archive`.
  private void onMachine(Map<String, String> archive, Conversation test) throws Exception {
    try (DownloadService service = new DownloadService()) {
      BareMachine machine = new BareMachine(folder, service.address());
      byte[] content = machine.archive(archive);
      offer(service, content, BareMachine.sha256(content));
      test.with(service, machine);
    }
  }

  private static void distribution(BareMachine machine) throws Exception {
    Files.createDirectories(machine.root().resolve("lib"));
    Files.writeString(machine.root().resolve("jvm.options"), "");
  }

  /// Answers as the service of Eclipse Adoptium does, with a package and an installer.
  private static void offer(DownloadService service, byte[] content, String checksum) {
    service.serve(
        "/assets/latest/25/hotspot",
        """
        [
            {
                "binary": {
                    "architecture": "x64",
                    "image_type": "jdk",
                    "installer": {
                        "checksum": "%s",
                        "link": "http://127.0.0.1:1/installer.pkg",
                        "name": "installer.pkg",
                        "size": 7
                    },
                    "package": {
                        "checksum": "%s",
                        "checksum_link": "http://127.0.0.1:1/x.sha256.txt",
                        "link": "%s/files/%s",
                        "name": "%s",
                        "size": 212000000
                    },
                    "project": "jdk"
                },
                "release_name": "jdk-25.9+9"
            }
        ]
        """
            .formatted("0".repeat(64), checksum, service.address(), ARCHIVE, ARCHIVE));
    service.serve("/files/" + ARCHIVE, content);
  }

  @Test
  void aJdkIsDownloadedOnceAndUsed() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);

          BareMachine.Result first = machine.run("version");

          assertThat(first.said())
              .startsWith("zonda: downloading Eclipse Temurin into ")
              .contains(ARCHIVE + " (212 MB)\n", "java runs: ", " im.zonda.app.Main version");
          assertThat(first.code()).isZero();
          assertThat(service.requests())
              .hasSize(2)
              .first()
              .asString()
              .contains("heap_size=normal&image_type=jdk&os=linux&vendor=eclipse");
          assertThat(machine.files())
              .containsExactly(
                  ".jdk/jdk-25.9+9/bin/java",
                  ".jdk/jdk-25.9+9/bin/javac",
                  ".jdk/jdk-25.9+9/release",
                  "jvm.options",
                  "zonda");

          assertThat(machine.run("version").said()).startsWith("java runs: ");
          assertThat(service.requests()).hasSize(2);
        });
  }

  /// A file zonda.toml in the current folder may be anyone's.
  @Test
  void theStartUpCacheIsMadeInAFolderOfItsOwn() throws Exception {
    Path where = folder.resolve("where");
    Map<String, String> jdk = new HashMap<>(JDK);
    jdk.put("jdk-25.9+9/bin/java", JAVA + "pwd >'" + where + "'\nls >>'" + where + "'\n");
    onMachine(
        jdk,
        (service, machine) -> {
          distribution(machine);
          Files.writeString(folder.resolve("zonda.toml"), "host = 'evil.example'");

          machine.run("prepare");

          assertThat(Files.readAllLines(where))
              .doesNotContain("zonda.toml", folder.toString())
              .isNotEmpty();
        });
  }

  @Test
  void aStartUpCacheThatFitsIsNotMadeAgain() throws Exception {
    Path made = folder.resolve("made");
    Map<String, String> jdk = new HashMap<>(JDK);
    jdk.put(
        "jdk-25.9+9/bin/java",
        """
        #!/bin/sh
        for each; do
          case $each in -XX:AOTCacheOutput=*) echo cache >"${each#*=}" ;; esac
        done
        echo made >>'%s'
        """
            .formatted(made));
    onMachine(
        jdk,
        (service, machine) -> {
          distribution(machine);
          machine.run("prepare");
          assertThat(machine.run("prepare").said()).isEmpty();
          assertThat(Files.readAllLines(made)).hasSize(1);

          Files.writeString(machine.root().resolve("jvm.options"), "-Xmx1g");
          machine.run("prepare");
          assertThat(Files.readAllLines(made)).hasSize(2);
        });
  }

  @Test
  void aPackageWithAJavaOfItsOwnUsesThat() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          Path runtime = machine.root().resolve("runtime");
          BareMachine.write(runtime.resolve("bin/java"), JAVA.replace("java runs", "its own runs"));
          Files.writeString(runtime.resolve("release"), RELEASE);
          Path other = folder.resolve("other");
          BareMachine.write(other.resolve("bin/java"), JAVA);
          Files.writeString(other.resolve("release"), RELEASE);
          machine.setVariable("JAVA_HOME", other.toString());

          assertThat(machine.run("version").said()).startsWith("its own runs: ");
          assertThat(service.requests()).isEmpty();

          machine.setVariable("ZONDA_JAVA", other.toString()); // who names one gets it
          assertThat(machine.run("version").said()).startsWith("java runs: ");
        });
  }

  @Test
  void theCacheMayBeInAFolderOfItsOwn() throws Exception {
    Map<String, String> jdk = new HashMap<>(JDK);
    jdk.put(
        "jdk-25.9+9/bin/java",
        JAVA
            + """
            for each; do
              case $each in -XX:AOTCacheOutput=*) echo cache >"${each#*=}" ;; esac
            done
            """);
    onMachine(
        jdk,
        (service, machine) -> {
          distribution(machine);
          Path cache = Files.createDirectory(folder.resolve("cache"));
          machine.setVariable("ZONDA_CACHE", cache.toString());

          machine.run("prepare");

          assertThat(cache.resolve("zonda.aot")).exists();
          assertThat(machine.root().resolve("zonda.aot")).doesNotExist();
          assertThat(machine.run("start").said()).contains("-XX:AOTCache=" + cache);
        });
  }

  @Test
  void theCommitOfThePackageIsPassedOnAndPackagesAreMadeFromSources() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          assertThat(machine.run("version").said()).contains(" -Dzonda.commit= ");
          Files.writeString(machine.root().resolve("commit"), "0123456789ab\n");
          assertThat(machine.run("version").said()).contains(" -Dzonda.commit=0123456789ab ");

          BareMachine.Result refused = machine.run("package");
          assertThat(refused.code()).isEqualTo(1);
          assertThat(refused.said()).isEqualTo("zonda: packages are made in a source tree\n");
        });
  }

  @Test
  void aDownloadThatIsCutGoesOnWhereItWas() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          service.cutArchives(1);

          BareMachine.Result result = machine.run("version");

          assertThat(result.said()).contains("java runs: ");
          assertThat(service.requests())
              .hasSize(3)
              .last()
              .asString()
              .matches(".* bytes=[1-9]\\d*-");
        });
  }

  @Test
  void theNextCallContinuesADownload() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          service.cutArchives(3);

          BareMachine.Result stopped = machine.run("version");

          assertThat(stopped.code()).isEqualTo(1);
          assertThat(stopped.said())
              .contains(ARCHIVE + " stopped; the next call continues it")
              .contains("zonda: install a JDK 25 or later");
          assertThat(machine.run("version").said()).contains("java runs: ");
          assertThat(service.requests().getLast()).matches(".* bytes=[1-9]\\d*-");
        });
  }

  @Test
  void anArchiveWithAnotherChecksumIsDeleted() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          offer(service, machine.archive(JDK), "0".repeat(64));

          BareMachine.Result result = machine.run("version");

          assertThat(result.code()).isEqualTo(1);
          assertThat(result.said())
              .contains(ARCHIVE + " does not have the SHA-256 0000")
              .doesNotContain("java runs");
          assertThat(machine.files()).containsExactly("jvm.options", "zonda");
        });
  }

  @Test
  void aNameWithAPathIsRefused() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          service.serve(
              "/assets/latest/25/hotspot",
              "[{\"binary\":{\"package\":{\"checksum\":\"0\",\"link\":\""
                  + service.address()
                  + "/x\",\"name\":\"../../x.tar.gz\",\"size\":1}}}]");

          assertThat(machine.run("version").said()).contains("install a JDK 25 or later");
          assertThat(service.requests()).hasSize(1);
        });
  }

  @Test
  void withoutNetworkOneLineSaysWhatToInstall() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);

          BareMachine.Result offline = machine.run("--offline", "version");
          assertThat(service.requests()).isEmpty();
          service.close();
          BareMachine.Result unreachable = machine.run("version");

          assertThat(offline.code()).isEqualTo(1);
          assertThat(offline.said())
              .isEqualTo(
                  "zonda: install a JDK 25 or later (for example Eclipse Temurin 25) and point"
                      + " JAVA_HOME at it: nothing is installed or downloaded with --offline\n");
          assertThat(unreachable.code()).isEqualTo(1);
          assertThat(unreachable.said()).contains("\nzonda: install a JDK 25 or later");
        });
  }

  @Test
  void aJavaThatWasNamedAndIsTooOldIsSaid() throws Exception {
    Path old = folder.resolve("old");
    BareMachine.write(old.resolve("bin/java"), JAVA);
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
    onMachine(
        JDK,
        (service, machine) -> {
          distribution(machine);
          machine.run("version"); // downloads one

          machine.setVariable("ZONDA_JAVA", old.toString());
          assertThat(machine.run("version").said())
              .startsWith(
                  "zonda: ZONDA_JAVA ("
                      + old
                      + ") is Java 17, and Zonda needs Java 25 or later; using "
                      + machine.root().resolve(".jdk/jdk-25.9+9"))
              .contains("java runs: ");
          machine.setVariable("ZONDA_JAVA", folder.resolve("none").toString());
          assertThat(machine.run("version").said()).contains("none) holds no Java; using ");
          Path fits = machine.root().resolve(".jdk/jdk-25.9+9");
          machine.setVariable("ZONDA_JAVA", fits.toString());
          assertThat(machine.run("version").said()).startsWith("java runs: ");
        });
  }

  @Test
  void aJdkForMacOsIsFoundInItsFolder() throws Exception {
    Map<String, String> mac =
        Map.of(
            "jdk-25.9+9/Contents/Home/bin/java", JAVA, "jdk-25.9+9/Contents/Home/release", RELEASE);
    onMachine(
        mac,
        (service, machine) -> {
          distribution(machine);
          machine.remove("uname");
          machine.install("uname", "[ \"$1\" = -s ] && echo Darwin || echo arm64\n");

          assertThat(machine.run("version").said()).contains("java runs: ");
          assertThat(service.requests().getFirst()).contains("architecture=aarch64", "os=mac");
        });
  }

  /// A tree of sources, whose build is a Maven that only says how it was called.
  private static void sources(BareMachine machine) throws Exception {
    Files.writeString(machine.root().resolve("pom.xml"), "<project/>");
  }

  @Test
  void mavenIsDownloadedToo() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          sources(machine);
          byte[] maven =
              machine.archive(
                  Map.of(
                      "apache-maven-3.9.11/bin/mvn",
                      "#!/bin/sh\n[ \"$1\" = -v ] && echo 'Apache Maven 3.9.11' || echo maven runs: $*\n"));
          service.serve("/maven/3.9.11/binaries/apache-maven-3.9.11-bin.tar.gz", maven);

          assertThat(machine.run("docs").said())
              .contains("apache-maven-3.9.11-bin.tar.gz does not have the SHA-256")
              .doesNotContain("maven runs");
          machine.setValue("maven_sha256", BareMachine.sha256(maven));

          assertThat(machine.run("docs").said())
              .contains("zonda: downloading Apache Maven into ", "maven runs: -B -ntp -q test");
          assertThat(machine.run("--offline", "docs").said())
              .startsWith("maven runs: -B -o -ntp -q test");
        });
  }

  @Test
  void theChatComesByNpmAndIsCheckedOrLeftOut() throws Exception {
    onMachine(
        JDK,
        (service, machine) -> {
          sources(machine);
          machine.install(
              "mvn", "[ \"$1\" = -v ] && echo 'Apache Maven 3.9.11' || echo maven runs: $*\n");

          assertThat(machine.run("test").said())
              .contains("building without the chat in the browser: npm is not installed")
              .contains("maven runs: ");

          byte[] chat =
              machine.archive(
                  Map.of(
                      "package/LICENSE", "MPL",
                      "package/COPYRIGHT", "its authors",
                      "package/src/x.js", "source",
                      "package/dist/converse.js", "large",
                      "package/dist/converse.min.js", "small",
                      "package/dist/chunkjs/de.js", "German",
                      "package/dist/chunkjs/de.js.map", "map"));
          Path tarball = Files.write(folder.resolve("chat.tgz"), chat);
          machine.install(
              "npm", "echo npm: \"$*\" >&2; cp '" + tarball + "' converse.js-14.0.0.tgz\n");

          assertThat(machine.run("test").said())
              .contains("converse.js 14.0.0 from npm does not have the SHA-256")
              .contains("maven runs: ");
          assertThat(chatFiles(machine)).isEmpty();

          machine.setValue("chat_sha256", BareMachine.sha256(chat));
          assertThat(machine.run("test").said()).doesNotContain("without the chat");
          assertThat(chatFiles(machine))
              .containsExactly(
                  "COPYRIGHT", "LICENSE", "chunkjs/de.js", "converse.min.js", "version");
        });
  }

  private static List<String> chatFiles(BareMachine machine) throws Exception {
    String chat = "app/target/chat/";
    return machine.files().stream()
        .filter(file -> file.startsWith(chat))
        .map(file -> file.substring(chat.length()))
        .toList();
  }
}
