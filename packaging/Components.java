import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Writes the licences of all components of a product, or the list of the components (CycloneDX).
/// Fails for a component without a known licence. Run from its source by the scripts beside it.
///
/// The file `components.tsv` beside it names the licence of each jar, and of what is packed into it;
/// the folder `licenses` has the texts that are in no jar.
final class Components {
  private static final Pattern VERSION = Pattern.compile("-(\\d[^-]*)(?:-(.+))?\\.jar");
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:META-INF/(?:maven/[^/]+/[^/]+/|licenses/.+/)?|)"
              + "(?:LICENSE|NOTICE|COPYRIGHT|COPYING)[^/]*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern LICENCE_ID = Pattern.compile("[A-Za-z0-9.-]+");
  private static final List<String> OPERATORS = List.of("AND", "OR", "WITH");
  private static final String OWN = "zonda-";

  /// A row of the table.
  ///
  /// @param artifact the beginning of the jar's name, or the name of what is packed into the jar
  /// @param licence an expression of SPDX
  private record Row(String group, String artifact, String licence, List<Row> inside) {}

  /// A component of the product.
  ///
  /// @param file the path in the product
  /// @param version empty if it is not known
  /// @param classifier empty for most
  private record Component(
      Path file, Row row, String version, String classifier, List<Component> inside) {
    String packageUrl() {
      return "pkg:maven/"
          + row.group()
          + "/"
          + row.artifact()
          + (version.isEmpty() ? "" : "@" + version)
          + (classifier.isEmpty() ? "" : "?classifier=" + classifier);
    }

    String name() {
      return classifier.isEmpty() ? row.artifact() : row.artifact() + ":" + classifier;
    }
  }

  private final Path scripts;
  private final Path product;
  private final String ownVersion;
  private final List<Row> rows = new ArrayList<>();
  private final List<Component> found = new ArrayList<>();

  private Components(Path scripts, Path product, String ownVersion) throws IOException {
    this.scripts = scripts;
    this.product = product;
    this.ownVersion = ownVersion;
    for (String line : Files.readAllLines(scripts.resolve("components.tsv"))) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      String group = cells[0];
      if (group.startsWith("+")) {
        Row inside = new Row(group.substring(1), cells[1], cells[2], List.of());
        rows.getLast().inside().add(inside);
      } else {
        rows.add(new Row(group, cells[1], cells[2], new ArrayList<>()));
      }
    }
    for (String folder : List.of("lib", "plugins")) {
      try (Stream<Path> jars = Files.list(product.resolve(folder))) {
        for (Path jar : jars.sorted().toList()) {
          found.add(component(jar));
        }
      }
    }
  }

  /// Runs it.
  ///
  /// @param arguments what is to be written, the folder of the scripts, that of the product, the file
  ///     or folder to write, version, commit, and the time in seconds
  public static void main(String... arguments) throws IOException {
    Path product = Path.of(arguments[2]);
    Path to = Path.of(arguments[3]);
    Components components = new Components(Path.of(arguments[1]), product, arguments[4]);
    if (arguments[0].equals("licenses")) {
      components.writeLicences(to);
    } else {
      Instant time = Instant.ofEpochSecond(Long.parseLong(arguments[6]));
      Files.writeString(to, components.list(arguments[5], time));
    }
  }

  private Component component(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    Row row =
        name.startsWith(OWN)
            ? new Row("im.zonda", name.replaceFirst("-\\d.*", ""), "Apache-2.0", List.of())
            : rowOf(name);
    Matcher version = VERSION.matcher(name.substring(row.artifact().length()));
    boolean hasVersion = version.matches();
    List<Component> inside = new ArrayList<>();
    for (Row each : row.inside()) {
      inside.add(new Component(jar, each, packedVersion(jar, each), "", List.of()));
    }
    boolean own = row.group().startsWith("im.zonda");
    String classifier = !own && hasVersion && version.group(2) != null ? version.group(2) : "";
    return new Component(
        jar, row, own || !hasVersion ? ownVersion : version.group(1), classifier, inside);
  }

  /// The row with the longest name that fits.
  private Row rowOf(String name) {
    return rows.stream()
        .filter(each ->
            name.equals(each.artifact() + ".jar")
                || name.startsWith(each.artifact())
                    && VERSION.matcher(name.substring(each.artifact().length())).matches())
        .max(Comparator.comparingInt(each -> each.artifact().length()))
        .orElseThrow(() -> new IllegalStateException(
            "no licence is known of " + name + ": add it to packaging/components.tsv"));
  }

  private static String packedVersion(Path jar, Row row) throws IOException {
    String path = "META-INF/maven/" + row.group() + "/" + row.artifact() + "/pom.properties";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(path);
      if (entry == null) {
        return "";
      }
      Properties properties = new Properties();
      try (InputStream in = zip.getInputStream(entry)) {
        properties.load(in);
      }
      return properties.getProperty("version", "");
    }
  }

  private void writeLicences(Path folder) throws IOException {
    StringBuilder index = new StringBuilder("# Licences\n\n");
    index.append("Zonda has the Apache License 2.0. Its packages contain these components of");
    index.append(" others; texts and notices\nthat a jar has are in the folder of its name, the");
    index.append(" others in `texts`.\n\n");
    index.append("| file | component | version | licence |\n|---|---|---|---|\n");
    TreeSet<String> licences = new TreeSet<>();
    for (Component each : found) {
      if (!each.row().group().equals("im.zonda")) {
        String name = product.relativize(each.file()).toString();
        copyTexts(each.file(), folder.resolve(each.file().getFileName().toString()));
        add(index, licences, name, each);
        each.inside().forEach(inside -> add(index, licences, "in it", inside));
      }
    }
    if (Files.isDirectory(product.resolve("web/chat"))) {
      index.append("| web/chat | see web/LICENSES.md | | MPL-2.0, GPL-3.0-only |\n");
    }
    index.append("| runtime, if there is one | OpenJDK | see runtime/release |");
    index.append(" GPL-2.0-only WITH Classpath-exception-2.0, see runtime/legal |\n");
    Files.createDirectories(folder.resolve("texts"));
    for (String licence : licences) {
      Path text = scripts.resolve("licenses").resolve(licence + ".txt");
      Path known = licence.equals("Apache-2.0") ? product.resolve("LICENSE") : text;
      if (!Files.exists(known)) {
        throw new IllegalStateException("packaging/licenses lacks the text of " + licence);
      }
      Files.copy(
          known,
          folder.resolve("texts").resolve(licence + ".txt"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(folder.resolve("README.md"), index);
  }

  private static void add(
      StringBuilder index, TreeSet<String> licences, String name, Component component) {
    Row row = component.row();
    index.append("| ").append(name).append(" | ").append(row.group()).append(':');
    index.append(row.artifact()).append(" | ").append(component.version()).append(" | ");
    index.append(row.licence()).append(" |\n");
    Matcher id = LICENCE_ID.matcher(row.licence());
    while (id.find()) {
      if (!OPERATORS.contains(id.group())) {
        licences.add(id.group().replaceFirst("-(only|or-later)$", ""));
      }
    }
  }

  private static void copyTexts(Path jar, Path folder) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> texts =
          zip.stream().filter(each -> TEXT.matcher(each.getName()).matches()).toList();
      for (ZipEntry each : texts) {
        String name =
            each.getName().replaceFirst("^META-INF/(maven/|licenses/)?", "").replace('/', '_');
        Files.createDirectories(folder);
        try (InputStream in = zip.getInputStream(each)) {
          Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private String list(String commit, Instant time) {
    List<String> components = new ArrayList<>();
    for (Component each : found) {
      components.add(object(each, sha256(each.file())));
    }
    String all = "[\n    " + String.join(",\n    ", components) + "\n  ]";
    Map<String, String> program = new LinkedHashMap<>();
    program.put("type", text("application"));
    program.put("bom-ref", text("zonda"));
    program.put("group", text("im.zonda"));
    program.put("name", text("zonda"));
    program.put("version", text(ownVersion));
    program.put("licenses", "[{\"expression\": \"Apache-2.0\"}]");
    program.put(
        "properties", "[{\"name\": \"zonda:commit\", \"value\": " + text(commit) + "}]");
    UUID serial =
        UUID.nameUUIDFromBytes((ownVersion + commit + time + all).getBytes(StandardCharsets.UTF_8));
    return "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.6\",\n"
        + "  \"serialNumber\": \"urn:uuid:"
        + serial
        + "\",\n  \"version\": 1,\n  \"metadata\": {\"timestamp\": "
        + text(time.toString())
        + ", \"component\": "
        + object(program)
        + "},\n  \"components\": "
        + all
        + "\n}\n";
  }

  private static String object(Component component, String hash) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("type", text("library"));
    members.put("bom-ref", text(component.packageUrl()));
    members.put("group", text(component.row().group()));
    members.put("name", text(component.name()));
    members.put("version", text(component.version()));
    members.put("purl", text(component.packageUrl()));
    if (!hash.isEmpty()) {
      members.put("hashes", "[{\"alg\": \"SHA-256\", \"content\": " + text(hash) + "}]");
    }
    members.put("licenses", "[{\"expression\": " + text(component.row().licence()) + "}]");
    if (!component.inside().isEmpty()) {
      List<String> inside = new ArrayList<>();
      component.inside().forEach(each -> inside.add(object(each, "")));
      members.put("components", "[" + String.join(", ", inside) + "]");
    }
    return object(members);
  }

  private static String object(Map<String, String> members) {
    List<String> texts = new ArrayList<>();
    members.forEach((name, value) -> texts.add(text(name) + ": " + value));
    return "{" + String.join(", ", texts) + "}";
  }

  private static String text(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String sha256(Path file) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
