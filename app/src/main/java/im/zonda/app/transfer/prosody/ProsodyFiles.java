package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The data folder of a Prosody that stores in files. Symbolic links in it are not followed.
///
/// @param folder the folder, which Prosody calls `data_path`
record ProsodyFiles(Path folder) implements ProsodyData {
  private static final String TABLE = ".dat";
  private static final String LIST = ".list";

  /// Folders that are no hosts.
  private static final List<String> GLOBAL = List.of("_global", "certs");

  /// Whether a folder looks like the data folder of a Prosody.
  static boolean recognises(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    for (String host : new ProsodyFiles(folder).hosts()) {
      Path stores = folder.resolve(encode(host));
      if (isFolder(stores.resolve("accounts")) || isFolder(stores.resolve("config"))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String name() {
    return "Prosody " + folder;
  }

  @Override
  public List<String> hosts() throws IOException {
    List<String> hosts = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path each : all) {
        String name = String.valueOf(each.getFileName());
        String host = decode(name);
        if (isFolder(each) && host != null && !GLOBAL.contains(name)) {
          hosts.add(host);
        }
      }
    }
    hosts.sort(null);
    return hosts;
  }

  private static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<String> users(String host, String store, @Nullable String after, int limit)
      throws IOException {
    List<String> users = all(host, store);
    int from = 0;
    if (after != null) {
      int found = Collections.binarySearch(users, after);
      from = found < 0 ? -found - 1 : found + 1;
    }
    return List.copyOf(users.subList(from, Math.min(users.size(), from + limit)));
  }

  private List<String> all(String host, String store) throws IOException {
    Path path = folder.resolve(encode(host)).resolve(encodeStore(store));
    List<String> users = new ArrayList<>();
    if (!isFolder(path)) {
      return users;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      for (Path each : all) {
        String name = String.valueOf(each.getFileName());
        int dot = name.lastIndexOf('.');
        String ending = dot < 0 ? "" : name.substring(dot);
        String user = dot < 0 ? null : decode(name.substring(0, dot));
        if (user != null && (ending.equals(TABLE) || ending.equals(LIST))) {
          users.add(user);
        }
      }
    }
    users.sort(null);
    return users;
  }

  @Override
  public long count(String host, String store) throws IOException {
    return all(host, store).size();
  }

  @Override
  public LuaValue.@Nullable Table read(String host, @Nullable String user, String store)
      throws BadRecordException, IOException {
    Path file = file(host, user, store, TABLE);
    if (!exists(file)) {
      return null;
    }
    try {
      return LuaReader.readTable(file);
    } catch (IOException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()));
    }
  }

  private static boolean exists(Path file) throws BadRecordException {
    if (Files.isSymbolicLink(file)) {
      throw new BadRecordException(file + " is a symbolic link");
    }
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void list(String host, String user, String store, Items items)
      throws IOException, BadRecordException {
    Path file = file(host, user, store, LIST);
    if (!exists(file)) {
      return;
    }
    try (LuaReader reader = LuaReader.open(file)) {
      while (true) {
        LuaValue.Table item = reader.nextItem();
        if (item == null) {
          return;
        }
        try {
          Double when = item.number("when");
          String key = item.text("key");
          String with = item.text("with");
          items.item(
              key == null ? "" : key,
              when == null ? null : StoredTime.of(when),
              with == null ? "" : with,
              StanzaTable.item(item));
        } catch (BadRecordException e) {
          items.damaged(reader.where(), String.valueOf(e.getMessage()));
        }
      }
    } catch (IOException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()));
    }
  }

  private Path file(String host, @Nullable String user, String store, String ending) {
    Path path = folder.resolve(encode(host));
    return user == null
        ? path.resolve(encodeStore(store) + ending)
        : path.resolve(encodeStore(store)).resolve(encode(user) + ending);
  }

  @Override
  public String where(String host, @Nullable String user, String store) {
    return file(host, user, store, TABLE).toString();
  }

  @Override
  public void close() {
    // Files are open while they are read only.
  }

  /// The name of a file: every byte that is not an ASCII letter or digit is `%xx`.
  private static String encode(String name) {
    return encode(name, false);
  }

  private static String encodeStore(String name) {
    return encode(name, true);
  }

  private static String encode(String name, boolean keepsUnderscores) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (each >= 'a' && each <= 'z')
              || (each >= 'A' && each <= 'Z')
              || (each >= '0' && each <= '9')
              || (each == '_' && keepsUnderscores);
      if (plain) {
        encoded.append((char) each);
      } else {
        encoded.append(String.format("%%%02x", each));
      }
    }
    return encoded.toString();
  }

  /// The name that a file's name stands for; null if it stands for none.
  static @Nullable String decode(String encoded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        boolean whole = i + 2 < encoded.length();
        int high = whole ? Character.digit(encoded.charAt(i + 1), 16) : -1;
        int low = whole ? Character.digit(encoded.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        bytes.write(16 * high + low);
        i += 2;
      } else if (c < 0x80) {
        bytes.write(c);
      } else {
        return null;
      }
    }
    String decoded = bytes.toString(StandardCharsets.UTF_8);
    return encode(decoded, true).equalsIgnoreCase(encoded) ? decoded : null;
  }
}
