package im.zonda.app.backup;

import im.zonda.app.status.ByteCount;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.storage.sql.DatabaseStatus.Counts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The list of the contents of a backup.
///
/// @param version the version of the program that wrote it
/// @param schema the version of the database's schema
/// @param time when it was begun: it has all that was acknowledged before
/// @param database the kind and version of the database
/// @param counts the numbers of rows in the database
/// @param uploads the numbers of uploaded files in the backup
/// @param files all files but those, and but the manifest
public record Manifest(
    String version,
    int schema,
    Instant time,
    String database,
    Counts counts,
    Uploads uploads,
    List<Entry> files) {
  static final String FILE = "manifest.json";
  static final String HASH_FILE = "manifest.sha256";

  private static final int FORMAT = 1;
  private static final long MAX_BYTES = 16 << 20;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /// Copies the list.
  public Manifest {
    files = List.copyOf(files);
  }

  /// The contents of uploaded files.
  ///
  /// @param files how many there are
  /// @param bytes the sum of their sizes
  /// @param missing how many more the database names: they were removed while the backup was
  ///   written, or had been lost before
  public record Uploads(long files, long bytes, long missing) {}

  /// A file.
  ///
  /// @param path relative to the folder of the backup, with slashes
  /// @param bytes its size
  /// @param sha256 the SHA-256 of its content, in hexadecimal digits
  public record Entry(String path, long bytes, String sha256) {
    /// @throws IllegalArgumentException if the path leaves the folder, or the hash is none
    public Entry {
      Path relative = Path.of(path);
      boolean inside =
          !path.isEmpty()
              && !relative.isAbsolute()
              && relative.equals(relative.normalize())
              && !relative.startsWith("..");
      if (!inside || !HASH.matcher(sha256).matches()) {
        throw new IllegalArgumentException("not a file of a backup: " + path);
      }
    }
  }

  /// The size of all files.
  public long bytes() {
    return uploads.bytes + files.stream().mapToLong(Entry::bytes).sum();
  }

  /// Writes the manifest into the folder of a backup.
  void write(Path folder) throws IOException {
    byte[] json = (json() + "\n").getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve(FILE);
    DurableFiles.write(file, json);
    // The form of sha256sum.
    String line = DurableFiles.hash(file) + "  " + FILE + "\n";
    DurableFiles.write(folder.resolve(HASH_FILE), line.getBytes(StandardCharsets.US_ASCII));
  }

  private String json() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("format", FORMAT);
    all.put("version", version);
    all.put("schema", schema);
    all.put("time", time);
    all.put("database", database);
    Map<String, @Nullable Object> numbers = new LinkedHashMap<>();
    numbers.put("accounts", counts.accounts());
    numbers.put("rooms", counts.rooms());
    numbers.put("messages", counts.messages());
    numbers.put("waiting", counts.waiting());
    all.put("counts", numbers);
    Map<String, @Nullable Object> contents = new LinkedHashMap<>();
    contents.put("files", uploads.files);
    contents.put("bytes", uploads.bytes);
    contents.put("missing", uploads.missing);
    all.put("uploads", contents);
    List<Object> entries = new ArrayList<>();
    for (Entry each : files) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("path", each.path);
      entry.put("bytes", each.bytes);
      entry.put("sha256", each.sha256);
      entries.add(entry);
    }
    all.put("files", entries);
    return JsonText.of(all);
  }

  /// Reads the manifest of a backup.
  ///
  /// @throws IOException if there is none, it is damaged, or of a newer version
  static Manifest read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is too large for a manifest");
    }
    byte[] json = Files.readAllBytes(file);
    try {
      Members all = new Members(JsonReader.object(new String(json, StandardCharsets.UTF_8)));
      if (all.number("format") != FORMAT) {
        throw new IOException(file + " is of another version of this program");
      }
      return of(all);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException(file + " is damaged (" + e.getMessage() + ")", e);
    }
  }

  private static Manifest of(Members all) {
    Members numbers = all.object("counts");
    Members contents = all.object("uploads");
    return new Manifest(
        all.text("version"),
        (int) all.number("schema"),
        Instant.parse(all.text("time")),
        all.text("database"),
        new Counts(
            numbers.number("accounts"),
            numbers.number("rooms"),
            numbers.number("messages"),
            numbers.number("waiting")),
        new Uploads(contents.number("files"), contents.number("bytes"), contents.number("missing")),
        all.objects("files").stream()
            .map(each -> new Entry(each.text("path"), each.number("bytes"), each.text("sha256")))
            .toList());
  }

  /// Whether the manifest in a folder is as it was written.
  static boolean isUnchanged(Path folder) throws IOException {
    Path file = folder.resolve(HASH_FILE);
    String expected = DurableFiles.hash(folder.resolve(FILE)) + "  " + FILE + "\n";
    return Files.size(file) == expected.length()
        && Files.readString(file, StandardCharsets.ISO_8859_1).equals(expected);
  }

  /// The members of a JSON object.
  ///
  /// @param values by their names
  private record Members(Map<?, ?> values) {
    private IllegalArgumentException wrong(String name) {
      return new IllegalArgumentException("no " + name);
    }

    String text(String name) {
      if (values.get(name) instanceof String text) {
        return text;
      }
      throw wrong(name);
    }

    long number(String name) {
      if (values.get(name) instanceof Long number) {
        return number;
      }
      throw wrong(name);
    }

    Members object(String name) {
      if (values.get(name) instanceof Map<?, ?> map) {
        return new Members(map);
      }
      throw wrong(name);
    }

    List<Members> objects(String name) {
      if (!(values.get(name) instanceof List<?> list)) {
        throw wrong(name);
      }
      List<Members> found = new ArrayList<>();
      for (Object each : list) {
        if (!(each instanceof Map<?, ?> map)) {
          throw wrong(name);
        }
        found.add(new Members(map));
      }
      return found;
    }
  }

  /// What a backup has, in a line.
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%,d accounts, %,d rooms, %,d messages, %,d uploaded files, %s",
        counts().accounts(),
        counts().rooms(),
        counts().messages(),
        uploads().files(),
        ByteCount.text(bytes()));
  }
}
