package im.zonda.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The archive, the list of components and the files for Compose are the same each time. The
/// product is a small one of the test's own.
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class ArchiveTest {
  private static final String STAMP = "20200101.000000";

  @TempDir private Path folder;
  private Path product = Path.of("");

  @BeforeEach
  void makeProduct() throws IOException {
    product = Files.createDirectory(folder.resolve("product"));
    write("zonda", "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        product.resolve("zonda"), PosixFilePermissions.fromString("rwx------"));
    for (String name :
        List.of("LICENSE", "jvm.options", "bench.options", "zonda.service", "web/LICENSES.md")) {
      write(name, name + "\n");
    }
    write("fingerprint", "of this machine");
    write("zonda.aot", "of this machine");
    write("zonda.aot.key", "of this machine");
    jar("lib/zonda-app-0.1.0.jar", Map.of("x", "y"));
    jar("lib/caffeine-3.3.1.jar", Map.of("META-INF/LICENSE", "its licence"));
    jar("lib/netty-transport-native-epoll-4.2.18.Final-linux-x86_64.jar", Map.of("x", "y"));
    jar("plugins/content-filter.jar", Map.of("x", "y"));
    String repository = "repository/im/zonda/zonda/0.1.0-SNAPSHOT/";
    write(
        repository + "maven-metadata.xml",
        "<timestamp>" + STAMP + "</timestamp><lastUpdated>" + STAMP + "</lastUpdated>\n");
    write(repository + "zonda-0.1.0-" + STAMP + "-1.pom", "<project/>\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = product.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }

  private void jar(String name, Map<String, String> files) throws IOException {
    Path file = product.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> each : files.entrySet()) {
        out.putNextEntry(new ZipEntry(each.getKey()));
        out.write(each.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /// What the second call finds differs in all that does not count: times, rights, and what this
  /// machine has left in the product.
  @Test
  void theSameProductMakesTheSameBytes() throws Exception {
    Packaging packaging = new Packaging(product, folder);
    Path first = packaging.make("first", "archive", "sbom", "compose");
    for (String name : List.of("LICENSE", "lib/caffeine-3.3.1.jar", "zonda")) {
      Files.setLastModifiedTime(
          product.resolve(name), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));
    }
    Files.setPosixFilePermissions(
        product.resolve("LICENSE"), PosixFilePermissions.fromString("rw-rw----"));
    write("zonda.aot", "of another start");

    Path second = packaging.make("second", "archive", "sbom", "compose");

    assertThat(Packaging.names(first)).hasSize(4).contains("SHA256SUMS");
    Packaging.assertSame(first, second);
  }

  @Test
  void theArchiveHasOneFolderWithAllParts() throws Exception {
    Path packages = new Packaging(product, folder).make("packages", "archive");

    List<String> lines = Packaging.listed(Packaging.file(packages, ".tar.gz"));

    assertThat(lines).allMatch(each -> each.matches("\\S+ 0/0 .*"));
    assertThat(lines.stream().map(each -> each.split(" +", -1)[3]).distinct()).hasSize(1);
    List<String> names =
        lines.stream().map(each -> each.replaceFirst(".* zonda-", "zonda-")).toList();
    String top = names.getFirst();
    assertThat(top).matches("zonda-.+/");
    assertThat(names).isSorted().allMatch(each -> each.startsWith(top));
    assertThat(names)
        .contains(
            top + "zonda",
            top + "LICENSE",
            top + "commit",
            top + "lib/zonda-app-0.1.0.jar",
            top + "plugins/content-filter.jar",
            top + "web/LICENSES.md",
            top + "zonda.service",
            top + "licenses/README.md",
            top + "licenses/caffeine-3.3.1.jar/LICENSE",
            top + "licenses/texts/Apache-2.0.txt",
            top + "licenses/texts/BSD-3-Clause.txt")
        .noneMatch(each -> each.contains("fingerprint") || each.contains(".aot"))
        .noneMatch(each -> each.contains(STAMP));
    assertThat(lines)
        .anyMatch(each -> each.startsWith("-rwxr-xr-x") && each.endsWith(top + "zonda"))
        .anyMatch(each -> each.startsWith("-rw-r--r--") && each.endsWith(top + "LICENSE"));
    assertThat(packages.resolve("SHA256SUMS")).content().matches("[0-9a-f]{64}  zonda-\\S+\n");
  }

  @Test
  void aPartThatIsMissingIsNamed() throws Exception {
    Files.delete(product.resolve("jvm.options"));
    Packaging.Result result = new Packaging(product, folder).tryToMake("packages", "archive");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.said()).contains("has no jvm.options");
  }

  @Test
  void aJarWithoutAKnownLicenceIsNamed() throws Exception {
    jar("lib/unheard-of-1.0.jar", Map.of("x", "y"));
    Packaging.Result result = new Packaging(product, folder).tryToMake("packages", "archive");
    assertThat(result.code()).isNotZero();
    assertThat(result.said()).contains("no licence is known of unheard-of-1.0.jar");
    assertThat(Files.exists(folder.resolve("packages/SHA256SUMS"))).isFalse();
  }

  @Test
  void theListOfComponentsIsJsonWithVersionsAndChecksums() throws Exception {
    Path packages = new Packaging(product, folder).make("packages", "sbom");
    String text = Files.readString(Packaging.file(packages, ".cdx.json"));
    assertThat(JsonReader.object(text)).containsKeys("metadata", "components");
    assertThat(text)
        .contains(
            "\"bomFormat\": \"CycloneDX\"",
            "\"purl\": \"pkg:maven/com.github.ben-manes.caffeine/caffeine@3.3.1\"",
            "\"purl\": \"pkg:maven/io.netty/netty-transport-native-epoll@4.2.18.Final"
                + "?classifier=linux-x86_64\"",
            "\"purl\": \"pkg:maven/com.google.re2j/re2j\"",
            "\"licenses\": [{\"expression\": \"Apache-2.0\"}]")
        .containsPattern("\"alg\": \"SHA-256\", \"content\": \"[0-9a-f]{64}\"");
  }

  @Test
  void anUnknownKindIsRefused() throws Exception {
    Packaging.Result result = new Packaging(product, folder).tryToMake("packages", "rpm");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.said())
        .isEqualTo(
            "zonda: usage: ./zonda package [archive|runtime|debian|image|compose|sbom]...\n");
  }
}
