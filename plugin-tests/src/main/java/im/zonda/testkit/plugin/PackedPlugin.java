package im.zonda.testkit.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.app.settings.plugin.ManifestReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.host.plugin.jar.PluginJar;
import im.zonda.host.plugin.jar.PluginJarException;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.plugin.Plugin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The jar of a plugin that is on the class path of a test.
///
/// Its time limit is the longest that there is: on a machine that does much else, the first call of
/// a handler may take longer than the plugin's own, and the server would skip its handlers.
///
/// @param name the name of the plugin
/// @param jar the jar
@SuppressWarnings("ArrayRecordComponent") // never compared
record PackedPlugin(String name, byte[] jar) {
  private static final Pattern LIMIT = Pattern.compile("(?m)^time-limit *=.*$");
  private static final String LONGEST = "time-limit = \"10 s\"\n";

  /// Packs what Maven packs: the folder or jar with the class.
  ///
  /// @throws IOException if there is no `plugin.toml`, or it is wrong
  static PackedPlugin of(Class<? extends Plugin> plugin) throws IOException {
    Path place = place(plugin);
    byte[] bytes;
    if (Files.isDirectory(place)) {
      bytes = zip(place);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        bytes = zip(jar.getPath("/"));
      }
    }
    try {
      PluginJar jar = PluginJar.read(bytes, PackedPlugin::manifest);
      return new PackedPlugin(jar.manifest().name(), bytes);
    } catch (PluginJarException e) {
      throw new IOException(place + ": " + e.getMessage(), e);
    }
  }

  private static PluginManifest manifest(byte[] toml) throws PluginJarException {
    try {
      return ManifestReader.read(toml);
    } catch (SettingsException e) {
      throw new PluginJarException(String.valueOf(e.getMessage()));
    }
  }

  private static Path place(Class<?> plugin) throws IOException {
    try {
      return Path.of(plugin.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the place of " + plugin.getName() + " has no path", e);
    }
  }

  private static byte[] zip(Path folder) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes);
        Stream<Path> all = Files.walk(folder)) {
      List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
      for (Path file : files) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.equals(PluginManifest.FILE) ? patient(file) : Files.readAllBytes(file));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  /// A manifest with the longest time limit. Before everything else, since tables follow.
  private static byte[] patient(Path manifest) throws IOException {
    String rest = LIMIT.matcher(Files.readString(manifest)).replaceAll("");
    return (LONGEST + rest).getBytes(UTF_8);
  }
}
