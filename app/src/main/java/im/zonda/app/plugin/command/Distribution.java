package im.zonda.app.plugin.command;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/// The folder of the product that runs.
final class Distribution {
  private Distribution() {}

  /// The folder, in which `repository` has what plugins are built against.
  ///
  /// @throws IOException if the program does not run from a packaged product
  static Path home() throws IOException {
    CodeSource source = Distribution.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? null : Path.of(source.getLocation().toURI());
      Path lib = jar == null ? null : jar.toAbsolutePath().getParent();
      Path home = lib == null ? null : lib.getParent();
      if (home != null && Files.isDirectory(home.resolve("repository"))) {
        return home;
      }
    } catch (URISyntaxException e) {
      throw new IOException("the folder of the program has no path", e);
    }
    throw new IOException(
        "the folder `repository`, which plugins are built with, is not beside `lib`; `zonda prepare`"
            + " makes a complete product");
  }
}
