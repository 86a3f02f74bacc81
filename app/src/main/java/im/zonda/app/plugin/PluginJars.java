package im.zonda.app.plugin;

import im.zonda.host.plugin.jar.PluginJar;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The jars of plugins: in the database in parts, and as files from which this node loads them.
/// Calls block.
final class PluginJars {
  /// The key-value store.
  static final String STORE = "plugin-jars";

  private static final int PART = 256 * 1024;
  private static final String ENDING = ".jar";
  private static final int SHORT = 32;

  private final KeyValueStore store;
  private final Path folder;

  /// @param folder for the files
  PluginJars(KeyValueStore store, Path folder) {
    this.store = store;
    this.folder = folder;
  }

  /// To what the parts of a jar belong: a domain of its own that is none of a host.
  private static Jid owner(String sha256) {
    return Jid.of(null, sha256.substring(0, SHORT) + ".plugin.zonda.invalid", null);
  }

  /// Writes a jar to the database.
  void put(PluginJar jar) {
    byte[] bytes = jar.bytes();
    Jid owner = owner(jar.sha256());
    for (int part = 0; part * PART < bytes.length; part++) {
      int from = part * PART;
      store.put(
          owner,
          "%05d".formatted(part),
          Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + PART)));
    }
  }

  /// Removes a jar from the database.
  void remove(String sha256) {
    Jid owner = owner(sha256);
    for (String part : store.all(owner).keySet()) {
      boolean _ = store.remove(owner, part);
    }
  }

  /// The file of a jar, with the bytes of that hash: as it is, or from the database.
  ///
  /// @throws IOException if it cannot be written, or if the jar is not in the database as it was
  ///   added
  Path file(AddedPlugin plugin) throws IOException {
    Files.createDirectories(folder);
    String name = plugin.name() + "-" + plugin.sha256().substring(0, SHORT) + ENDING;
    Path file = folder.resolve(name);
    if (Files.isRegularFile(file) && isSame(Files.readAllBytes(file), plugin)) {
      return file;
    }
    byte[] bytes = read(plugin.sha256());
    if (!isSame(bytes, plugin)) {
      throw new IOException(
          "the jar of the plugin "
              + plugin.name()
              + " in the database is not the one that was added; add it again");
    }
    Path unfinished = folder.resolve(name + ".unfinished");
    Files.write(unfinished, bytes);
    return Files.move(
        unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isSame(byte[] bytes, AddedPlugin plugin) {
    return bytes.length == plugin.size() && PluginJar.hash(bytes).equals(plugin.sha256());
  }

  private byte[] read(String sha256) {
    Map<String, byte[]> parts = new TreeMap<>(store.all(owner(sha256)));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.values().forEach(all::writeBytes);
    return all.toByteArray();
  }

  /// Deletes the files of jars that are not among those.
  void keepFiles(Stream<AddedPlugin> added) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    var wanted = added.map(each -> each.sha256().substring(0, SHORT)).toList();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        boolean ours = name.matches("[a-z0-9-]+-[0-9a-f]{32}\\.jar(\\.unfinished)?");
        if (ours && wanted.stream().noneMatch(each -> name.endsWith("-" + each + ENDING))) {
          Files.delete(file);
        }
      }
    }
  }
}
