package im.zonda.app.plugin.command;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/// The folder of the product that runs.
final class Distribution {
  private Distribution() {}

  /// The folder, which has the program in `lib` and the plugins that come with it in `plugins`.
  ///
  /// @throws IOException if the program does not run from a packaged product
  static Path home() throws IOException {
    CodeSource source = Distribution.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? null : Path.of(source.getLocation().toURI());
      return home(jar);
    } catch (URISyntaxException e) {
      throw new IOException("the folder of the program has no path", e);
    }
  }

  /// The folder of the product whose `lib` has that jar.
  static Path home(@Nullable Path jar) throws IOException {
    Path lib = jar == null ? null : jar.toAbsolutePath().getParent();
    Path home = lib == null || !lib.endsWith("lib") ? null : lib.getParent();
    if (home == null) {
      throw new IOException("the program does not run from the folder `lib` of a product");
    }
    return home;
  }

  /// The same, if the folder has what plugins are built against. Images for containers do not.
  ///
  /// @throws IOException if there is no such folder
  static Path withRepository(Path home) throws IOException {
    if (!Files.isDirectory(home.resolve("repository"))) {
      throw new IOException(
          "the folder `repository`, which plugins are built with, is not beside `lib`; `zonda"
              + " prepare` makes a complete product");
    }
    return home;
  }
}
