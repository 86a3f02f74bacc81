package im.zonda.app.plugin.command;

import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.plugin.Plugin;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/// The project of a new plugin.
///
/// @param name the name of the plugin
/// @param packageName the package of its class
/// @param version the version of the server
/// @param home the folder of the server, which has the jars that plugins are built against
record ProjectTemplate(String name, String packageName, String version, Path home) {
  /// A project.
  ///
  /// @param packageName null for one that follows from the name
  /// @throws IllegalArgumentException if one of the names cannot be one
  static ProjectTemplate of(String name, @Nullable String packageName, String version, Path home) {
    if (!PluginManifest.isName(name)) {
      throw new IllegalArgumentException(
          "the name of a plugin is lower-case words joined by hyphens, at most "
              + PluginManifest.MOST_NAME
              + " characters, such as content-filter");
    }
    String words = packageName == null ? "org.example." + packageOf(name) : packageName;
    if (!SourceVersion.isName(words, SourceVersion.latest())) {
      throw new IllegalArgumentException(words + " cannot be the name of a Java package");
    }
    return new ProjectTemplate(name, words, version, home.toAbsolutePath());
  }

  private static String packageOf(String name) {
    String joined = name.replace("-", "");
    return SourceVersion.isName(joined, SourceVersion.latest()) ? joined : joined + "plugin";
  }

  /// The name of the class: not that of a class that it uses.
  String className() {
    StringBuilder joined = new StringBuilder();
    Arrays.stream(name.split("-"))
        .forEach(word ->
            joined.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length()));
    return joined.append("Plugin").toString();
  }

  /// Writes the project into a new folder.
  ///
  /// @throws FileAlreadyExistsException if there is something of that name
  /// @throws IOException if it cannot be written
  void write(Path folder) throws IOException {
    Files.createDirectory(folder);
    for (Map.Entry<String, String> each : files().entrySet()) {
      Path file = folder.resolve(each.getKey());
      Path parent = file.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(file, fill(each.getKey(), read(each.getValue())));
    }
  }

  /// The files of the project, by path, each with its template.
  private Map<String, String> files() {
    String inPackage = "java/" + packageName.replace('.', '/') + "/" + className();
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", "pom");
    files.put("README.md", "README");
    files.put(".gitignore", "gitignore");
    files.put(".mvn/maven.config", "maven");
    files.put("src/main/resources/plugin.toml", "plugin");
    files.put("src/main/" + inPackage + ".java", "Plugin");
    files.put("src/test/" + inPackage + "Test.java", "PluginTest");
    files.put("src/test/" + inPackage + "ServerTest.java", "ServerTest");
    return files;
  }

  private String fill(String file, String template) {
    String folder = home.toString();
    String escaped =
        file.equals("pom.xml") ? folder.replace("&", "&amp;").replace("<", "&lt;") : folder;
    return template
        .replace("@name@", name)
        .replace("@package@", packageName)
        .replace("@class@", className())
        .replace("@version@", version)
        .replace("@api@", Plugin.API)
        .replace("@home@", escaped);
  }

  private static String read(String template) throws IOException {
    try (InputStream in = ProjectTemplate.class.getResourceAsStream(template + ".txt")) {
      if (in == null) {
        throw new FileNotFoundException("the template " + template);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
