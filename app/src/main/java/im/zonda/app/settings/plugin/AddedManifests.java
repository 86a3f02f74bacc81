package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.SettingsException;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The manifests of the plugins that were added, as far as this machine has them: from the copies
/// of their jars in the data folder. So the configuration can be checked while no server runs.
///
/// @param byName the manifests by the names of the plugins
/// @param before names of plugins that were added once, and of which files are left
/// @param unreadable jars that cannot be read, each with the reason
public record AddedManifests(
    Map<String, PluginManifest> byName, Set<String> before, List<String> unreadable) {
  /// The folder in the data folder.
  public static final String FOLDER = "plugins";

  /// None.
  public static final AddedManifests NONE = new AddedManifests(Map.of(), Set.of(), List.of());

  /// The maximum number of jars that are read.
  private static final int MOST_JARS = 100;

  /// Copies the collections.
  public AddedManifests {
    byName = Map.copyOf(byName);
    before = Set.copyOf(before);
    unreadable = List.copyOf(unreadable);
  }

  /// The manifest of a plugin; null if it is not added.
  public @Nullable PluginManifest of(String plugin) {
    return byName.get(plugin);
  }

  /// Those of a data folder, which need not exist.
  public static AddedManifests in(Path data) {
    Path folder = data.resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return NONE;
    }
    Map<String, PluginManifest> byName = new HashMap<>();
    List<String> unreadable = new ArrayList<>();
    List<Path> jars;
    Set<String> before;
    try (Stream<Path> listed = Files.list(folder)) {
      List<Path> files = listed.toList();
      before =
          files.stream()
              .filter(Files::isDirectory)
              .map(file -> file.getFileName().toString())
              .filter(PluginManifest::isName)
              .collect(Collectors.toSet());
      jars =
          files.stream()
              .filter(file -> file.toString().endsWith(".jar") && Files.isRegularFile(file))
              .sorted(Comparator.comparing(AddedManifests::time).thenComparing(file -> file))
              .limit(MOST_JARS)
              .toList();
    } catch (IOException e) {
      return new AddedManifests(
          Map.of(), Set.of(), List.of(folder + ": " + FailureText.of(e, folder)));
    }
    for (Path jar : jars) {
      try {
        PluginManifest manifest = ManifestReader.read(bytes(jar));
        byName.put(manifest.name(), manifest); // of two versions that which came later
      } catch (IOException e) {
        unreadable.add(jar + ": " + FailureText.of(e, jar));
      } catch (SettingsException e) {
        unreadable.add(jar + ": " + e.getMessage());
      }
    }
    return new AddedManifests(byName, before, unreadable);
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0); // it goes at this moment
    }
  }

  private static byte[] bytes(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(PluginManifest.FILE);
      if (entry == null) {
        throw new IOException("has no " + PluginManifest.FILE);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return in.readNBytes(PluginManifest.MOST_BYTES + 1);
      }
    }
  }
}
