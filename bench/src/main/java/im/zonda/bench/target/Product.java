package im.zonda.bench.target;

import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A Zonda that can be started: its launcher.
///
/// @param launcher the script `zonda`
record Product(Path launcher) {
  /// The system property with the folder of the product, for runs from a build.
  static final String PROPERTY = "zonda.product";

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration BUILD = Duration.ofMinutes(10);

  /// The Zonda whose bench this is.
  ///
  /// @throws IOException if this program does not run from the folder of a product
  static Product own() throws IOException {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return of(Path.of(given).resolve("zonda"));
    }
    URL main = Product.class.getResource("/im/zonda/app/Main.class");
    if (main != null && main.getProtocol().equals("jar")) {
      String file = main.getFile(); // file:/FOLDER/lib/zonda-app.jar!/im/zonda/app/Main.class
      try {
        Path jar = Path.of(new URI(file.substring(0, file.indexOf('!'))));
        Path folder = jar.resolveSibling("..").normalize();
        return of(folder.resolve("zonda"));
      } catch (URISyntaxException e) {
        throw new IOException(file, e);
      }
    }
    throw new IOException(
        "no packaged Zonda is here that could be started; name one with --zonda, or a server that"
            + " runs with --address");
  }

  /// The Zonda with that launcher.
  ///
  /// @throws IOException if it is none
  static Product of(Path launcher) throws IOException {
    if (!Files.isExecutable(launcher) || Files.isDirectory(launcher)) {
      throw new IOException(launcher + " is no launcher of Zonda");
    }
    return new Product(launcher.toAbsolutePath());
  }

  /// A command of it.
  ///
  /// @param javaOptions further options of the virtual machine, with blanks between
  ProcessBuilder command(String javaOptions, String... words) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(launcher.toString());
    builder.command().addAll(List.of(words));
    builder.environment().keySet().removeIf(name -> name.startsWith("ZONDA_"));
    builder.environment().put("ZONDA_JAVA", System.getProperty("java.home"));
    // A cache that is made beside the server would take a part of the processors.
    builder.environment().put("ZONDA_NO_CACHE", "1");
    if (!javaOptions.isEmpty()) {
      builder.environment().put("ZONDA_JAVA_OPTS", javaOptions);
    }
    return builder;
  }

  /// The version, such as `0.1.0`. In a source tree this builds what has changed.
  String version(Path folder) throws IOException {
    String text =
        ChildProcess.run("zonda", command("", "version"), folder.resolve("version"), BUILD);
    return text.lines()
        .filter(line -> line.startsWith("zonda ") || line.startsWith("Zonda "))
        .map(line -> line.substring("zonda ".length()).replaceFirst(" \\(commit .*", "").strip())
        .findFirst()
        .orElse("");
  }

  /// The commit that the product was built from, as its file `commit` says; without the file, that
  /// of the source tree; empty if it is in none, or Git is not installed.
  String commit(Path folder) throws IOException {
    Path written = launcher.resolveSibling("commit");
    if (Files.isRegularFile(written)) {
      return Files.readString(written).strip();
    }
    Path tree = tree(launcher.getParent());
    if (tree == null || Programs.find("git").isEmpty()) {
      return "";
    }
    ProcessBuilder git =
        new ProcessBuilder("git", "-C", tree.toString(), "describe", "--always", "--dirty");
    return ChildProcess.run("git", git, folder.resolve("commit"), LIMIT).strip();
  }

  private static @Nullable Path tree(@Nullable Path folder) {
    for (Path each = folder; each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git")) && Files.exists(each.resolve("pom.xml"))) {
        return each;
      }
    }
    return null;
  }
}
