package im.zonda.app.settings;

import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.settings.toml.TomlFile;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.app.settings.toml.Utf8File;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folder `hosts.d` beside the configuration file. Each file `DOMAIN.toml` in it adds a virtual
/// host; its content is that of the section `[host."DOMAIN"]`.
///
/// @param folder the folder; need not exist
public record HostFiles(Path folder) {
  /// The name of the folder.
  public static final String NAME = "hosts.d";

  private static final String ENDING = ".toml";

  /// The host files of a configuration file in `base`.
  public static HostFiles in(Path base) {
    return new HostFiles(base.resolve(NAME));
  }

  /// The file of a host.
  ///
  /// @param domain a prepared domain
  public Path file(String domain) {
    return folder.resolve(domain + ENDING);
  }

  /// The content of a host's file; null if there is none.
  public @Nullable String read(String domain) throws IOException {
    Path file = file(domain);
    return Files.exists(file) ? Utf8File.read(file) : null;
  }

  /// Replaces the file of a host; null removes it. Another process sees all of it or none.
  public void write(String domain, @Nullable String content) throws IOException {
    if (content == null) {
      Files.deleteIfExists(file(domain));
      return;
    }
    Files.createDirectories(folder);
    Path fresh = folder.resolve(domain + ".new");
    Files.write(fresh, content.getBytes(StandardCharsets.UTF_8));
    Files.move(
        fresh, file(domain), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Adds the hosts and their settings to the content of the configuration file.
  void addTo(TomlValue.Table root, List<Problem> problems) {
    Map<String, TomlValue.Table> found = tables(problems);
    if (found.isEmpty()) {
      return;
    }
    Place place = found.values().iterator().next().place();
    if (root.entries().get("hosts") == null) {
      TomlValue.Scalar usual = new TomlValue.Scalar(place, "localhost");
      root.entries().put("hosts", new TomlValue.Array(place, List.of(usual)));
    }
    TomlValue hosts = root.entries().get("hosts");
    TomlValue settings =
        root.entries()
            .computeIfAbsent("host", _ -> new TomlValue.Table(place, new LinkedHashMap<>()));
    if (!(hosts instanceof TomlValue.Array named)
        || !(settings instanceof TomlValue.Table sections)) {
      return; // an error that is reported when they are read
    }
    List<TomlValue> all = new ArrayList<>(named.values());
    found.forEach((domain, table) -> {
      TomlValue other = sections.entries().putIfAbsent(domain, table);
      if (other != null) {
        problems.add(
            new Problem(
                other.place(),
                "host." + domain + " is also in " + table.place().source() + "; keep one of them"));
      }
      all.add(new TomlValue.Scalar(table.place(), domain));
    });
    root.entries().put("hosts", new TomlValue.Array(named.place(), all));
  }

  /// The content of all files, by domain and in its order.
  private Map<String, TomlValue.Table> tables(List<Problem> problems) {
    Map<String, TomlValue.Table> tables = new LinkedHashMap<>();
    for (Path file : files(problems)) {
      String name = NAME + "/" + file.getFileName();
      String domain = domain(file);
      if (domain == null) {
        problems.add(
            new Problem(
                new Place(name, 1, 1),
                "the name of a file in hosts.d must be a domain in lower case and .toml"));
        continue;
      }
      try {
        tables.put(domain, TomlFile.read(file, name));
      } catch (SettingsException e) {
        problems.addAll(e.problems());
      }
    }
    return tables;
  }

  private List<Path> files(List<Problem> problems) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    } catch (IOException e) {
      problems.add(new Problem(new Place(NAME, 1, 1), "cannot be read: " + FailureText.of(e)));
      return List.of();
    }
  }

  private static @Nullable String domain(Path file) {
    String name = file.getFileName().toString();
    String domain = name.substring(0, name.length() - ENDING.length());
    try {
      return Jid.of(null, domain, null).domain().equals(domain) ? domain : null;
    } catch (JidFormatException e) {
      return null;
    }
  }
}
