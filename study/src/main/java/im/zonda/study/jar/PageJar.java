package im.zonda.study.jar;

import im.zonda.study.page.PageServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// The classes of the page as a jar of their own, which servers have beside the product's: an AOT
/// cache needs jars, and a server has nothing else of the study.
final class PageJar {
  /// Its name, which sorts behind those of the product.
  static final String NAME = "zonda-study-page.jar";

  private static final String PACKAGE = "im/zonda/study/page/";

  private PageJar() {}

  /// Writes it into a folder.
  static void write(Path folder) throws IOException {
    Path source;
    try {
      source =
          Path.of(PageServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(folder.resolve(NAME)))) {
      if (Files.isDirectory(source)) {
        ofFolder(source, out);
      } else {
        ofJar(source, out);
      }
    }
  }

  private static void ofFolder(Path source, JarOutputStream out) throws IOException {
    try (Stream<Path> files = Files.list(source.resolve(PACKAGE))) {
      for (Path file : files.sorted().toList()) {
        add(PACKAGE + file.getFileName(), Files.readAllBytes(file), out);
      }
    }
  }

  private static void ofJar(Path source, JarOutputStream out) throws IOException {
    try (JarFile jar = new JarFile(source.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith(PACKAGE) && !entry.isDirectory()) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(entry.getName(), in.readAllBytes(), out);
          }
        }
      }
    }
  }

  private static void add(String name, byte[] bytes, JarOutputStream out) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
