package im.zonda.app.transfer.command;

import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ejabberd.EjabberdSource;
import im.zonda.app.transfer.ejabberd.MnesiaSource;
import im.zonda.app.transfer.mongooseim.MongooseimSource;
import im.zonda.app.transfer.openfire.OpenfireDocument;
import im.zonda.app.transfer.openfire.OpenfireSource;
import im.zonda.app.transfer.portable.PortableSource;
import im.zonda.app.transfer.prosody.ProsodySource;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The formats from which accounts can be imported.
enum SourceFormat {
  XEP_0227,
  PROSODY,
  EJABBERD,
  MONGOOSEIM,
  OPENFIRE;

  private static final byte[] SQLITE = "SQLite format 3".getBytes(StandardCharsets.US_ASCII);

  /// Where the data is.
  ///
  /// @param text a file, a folder, or the URL of a database on a server
  /// @param data the data folder of this server
  /// @param host the host of a source that does not name it, or null
  record Place(String text, Path data, DatabaseLogin login, @Nullable String host) {
    boolean isServer() {
      return text.startsWith("postgresql:") || text.startsWith("mariadb:");
    }

    ForeignDatabase open() throws IOException {
      return isServer()
          ? ForeignDatabase.openServer(login.storage(text))
          : ForeignDatabase.openFile(Path.of(text).toRealPath(), data);
    }
  }

  /// The name on the command line.
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The format with that name.
  ///
  /// @throws IllegalArgumentException if there is none
  static SourceFormat ofWord(String word) {
    for (SourceFormat each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "unknown format \"" + word + "\"; the formats are " + words());
  }

  private static String words() {
    return Arrays.stream(values()).map(SourceFormat::word).collect(Collectors.joining(", "));
  }

  /// Opens a source.
  ///
  /// @param format the format, or null to recognise it
  /// @throws IllegalArgumentException if the format is not recognised, or there is no such file
  static ImportSource open(Place place, @Nullable SourceFormat format, InstantSource clock)
      throws IOException {
    if (place.isServer()) {
      return database(place, format, clock);
    }
    if (place.text().contains("://")) {
      throw new IllegalArgumentException(
          "the address of a database is postgresql://HOST/DATABASE or mariadb://HOST/DATABASE");
    }
    Path path = Path.of(place.text());
    if (!Files.exists(path)) {
      throw new IllegalArgumentException("there is no file or folder " + path);
    }
    if (isDatabase(path)) {
      return database(place, format, clock);
    }
    SourceFormat found = format == null ? recognise(path) : format;
    return switch (found) {
      case XEP_0227 -> new PortableSource(path, clock);
      case PROSODY -> ProsodySource.ofFolder(path, clock);
      case OPENFIRE -> openfire(path, place.host());
      case EJABBERD -> ejabberd(path, clock);
      case MONGOOSEIM ->
          throw new IllegalArgumentException(
              "the files of MongooseIM are not read; give its SQL database");
    };
  }

  private static ImportSource openfire(Path path, @Nullable String host) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IllegalArgumentException(
          "the files of Openfire's embedded database are not read; give its SQL database");
    }
    return new OpenfireDocument(path, host);
  }

  private static ImportSource ejabberd(Path path, InstantSource clock) throws IOException {
    if (!MnesiaSource.recognises(path)) {
      throw new IllegalArgumentException(
          path
              + " is not a dump of ejabberd; its own files are not read: write one with"
              + " `ejabberdctl dump FILE`, or give the SQL database");
    }
    return new MnesiaSource(path, clock);
  }

  private static boolean isDatabase(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (var input = Files.newInputStream(path)) {
      return Arrays.equals(input.readNBytes(SQLITE.length), SQLITE);
    }
  }

  private static SourceFormat recognise(Path path) throws IOException {
    if (PortableSource.recognises(path)) {
      return XEP_0227;
    }
    if (MnesiaSource.recognises(path)) {
      return EJABBERD;
    }
    if (OpenfireDocument.recognises(path)) {
      return OPENFIRE;
    }
    if (ProsodySource.recognises(path)) {
      return PROSODY;
    }
    throw unknown(path.toString());
  }

  private static IllegalArgumentException unknown(String source) {
    return new IllegalArgumentException(
        "the format of " + source + " is not recognised; give it with --format: " + words());
  }

  private static ImportSource database(
      Place place, @Nullable SourceFormat format, InstantSource clock) throws IOException {
    ForeignDatabase database = place.open();
    try {
      SourceFormat found = format == null ? recognise(database) : format;
      return switch (found) {
        case PROSODY -> ProsodySource.ofDatabase(database, clock);
        case EJABBERD -> new EjabberdSource(database, place.host(), clock);
        case MONGOOSEIM -> new MongooseimSource(database, clock);
        case OPENFIRE -> new OpenfireSource(database, place.host(), clock);
        case XEP_0227 ->
            throw new IllegalArgumentException(place.text() + " is a database, not a document");
      };
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static SourceFormat recognise(ForeignDatabase database) {
    if (ProsodySource.recognises(database)) {
      return PROSODY;
    }
    if (EjabberdSource.recognises(database)) {
      return EJABBERD;
    }
    if (MongooseimSource.recognises(database)) {
      return MONGOOSEIM;
    }
    if (OpenfireSource.recognises(database)) {
      return OPENFIRE;
    }
    throw unknown(database.name());
  }
}
