package im.zonda.app.plugin;

import im.zonda.plugin.Plugin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The jar of a plugin that is a class of these tests.
///
/// @param main its class
/// @param name its name
/// @param version its version
/// @param ports what it asks for
/// @param lines further lines of its manifest
/// @param classes further classes in the jar
public record SampleJar(
    Class<?> main,
    String name,
    String version,
    List<String> ports,
    List<String> lines,
    List<Class<?>> classes) {
  public static SampleJar of(Class<? extends Plugin> main, String... ports) {
    return new SampleJar(
        main,
        main.getSimpleName().toLowerCase(java.util.Locale.ROOT),
        "1.0.0",
        List.of(ports),
        List.of(),
        List.of());
  }

  public SampleJar named(String other) {
    return new SampleJar(main, other, version, ports, lines, classes);
  }

  public SampleJar version(String other) {
    return new SampleJar(main, name, other, ports, lines, classes);
  }

  public SampleJar line(String line) {
    List<String> more = new ArrayList<>(lines);
    more.add(line);
    return new SampleJar(main, name, version, ports, more, classes);
  }

  public SampleJar with(Class<?>... more) {
    return new SampleJar(main, name, version, ports, lines, List.of(more));
  }

  public String manifest(String api) {
    List<String> quoted = ports.stream().map(each -> '"' + each + '"').toList();
    return "name = \"%s\"\nversion = \"%s\"\napi = \"%s\"\nclass = \"%s\"\n"
            .formatted(name, version, api, main.getName())
        + "title = \"A plugin of a test\"\nports = "
        + quoted
        + "\n"
        + String.join("\n", lines)
        + "\n";
  }

  public byte[] bytes() {
    return bytes(manifest(Plugin.API));
  }

  public byte[] bytes(String manifest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("plugin.toml"));
      zip.write(manifest.getBytes(StandardCharsets.UTF_8));
      List<Class<?>> all = new ArrayList<>(classes);
      all.add(main);
      for (Class<?> each : all) {
        String file = each.getName().replace('.', '/') + ".class";
        zip.putNextEntry(new ZipEntry(file));
        try (InputStream in =
            Objects.requireNonNull(SampleJar.class.getClassLoader().getResourceAsStream(file))) {
          in.transferTo(zip);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public String base64() {
    return Base64.getEncoder().encodeToString(bytes());
  }
}
