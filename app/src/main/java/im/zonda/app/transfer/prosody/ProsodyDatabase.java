package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.StoredXml;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The database of a Prosody that stores by `mod_storage_sql`.
///
/// @param database the database, which is closed with this
record ProsodyDatabase(ForeignDatabase database) implements ProsodyData {
  private static final String HOSTS = "select distinct \"host\" from \"prosody\" order by \"host\"";

  private static final String USERS =
      """
      select distinct "user" from "prosody"
      where "host" = ? and "store" = ? and "user" > ? order by "user" limit ?
      """;

  private static final String COUNT =
      """
      select count(distinct "user") from "prosody"
      where "host" = ? and "store" = ? and "user" > ''
      """;

  private static final String VALUES =
      """
      select "key", "type", "value" from "prosody"
      where "host" = ? and "user" = ? and "store" = ?
      """;

  private static final String ITEMS =
      """
      select "key", "when", "with", "type", "value" from "prosodyarchive"
      where "host" = ? and "user" = ? and "store" = ? order by "sort_id"
      """;

  /// Whether a database is one of Prosody.
  static boolean recognises(ForeignDatabase database) {
    return database.hasTable("prosody") && database.hasTable("prosodyarchive");
  }

  @Override
  public String name() {
    return "Prosody " + database.name();
  }

  @Override
  public List<String> hosts() throws IOException {
    return texts(HOSTS);
  }

  @Override
  public List<String> users(String host, String store, @Nullable String after, int limit)
      throws IOException {
    return texts(USERS, host, store, after == null ? "" : after, (long) limit);
  }

  private List<String> texts(String query, Object... parameters) throws IOException {
    List<String> texts = new ArrayList<>();
    database.query(
        query,
        row -> {
          String text = row.text(1);
          if (text != null) {
            texts.add(text);
          }
          return true;
        },
        parameters);
    return texts;
  }

  @Override
  public long count(String host, String store) throws IOException {
    return database.number(COUNT, host, store);
  }

  @Override
  public LuaValue.@Nullable Table read(String host, @Nullable String user, String store)
      throws IOException, BadRecordException {
    Map<String, LuaValue> named = new LinkedHashMap<>();
    List<LuaValue.Table> whole = new ArrayList<>();
    List<BadRecordException> bad = new ArrayList<>();
    database.query(
        VALUES,
        row -> {
          String key = row.text(1);
          try {
            LuaValue value = value(String.valueOf(row.text(2)), String.valueOf(row.text(3)));
            if (key == null || key.isEmpty()) {
              whole.add(value instanceof LuaValue.Table table ? table : LuaValue.Table.empty());
            } else if (value != null) {
              named.put(key, value);
            }
          } catch (BadRecordException e) {
            bad.add(e);
          }
          return true;
        },
        host,
        user == null ? "" : user,
        store);
    if (!bad.isEmpty()) {
      throw bad.getFirst();
    }
    LuaValue.Table rest = whole.isEmpty() ? LuaValue.Table.empty() : whole.getFirst();
    named.putAll(rest.named());
    return named.isEmpty() && whole.isEmpty()
        ? null
        : new LuaValue.Table(rest.items(), named, rest.atFalse());
  }

  private static @Nullable LuaValue value(String type, String text) throws BadRecordException {
    return switch (type) {
      case "string" -> new LuaValue.Text(text);
      case "boolean" -> new LuaValue.Bool(text.equals("true"));
      case "number" -> new LuaValue.Numeral(number(text));
      case "json" -> JsonValue.read(text);
      default -> throw new BadRecordException("a value of the unknown type \"" + type + "\"");
    };
  }

  private static double number(String text) throws BadRecordException {
    try {
      double number = Double.parseDouble(text);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new BadRecordException("\"" + text + "\" is not a number");
  }

  @Override
  public void list(String host, String user, String store, Items items) throws IOException {
    database.query(
        ITEMS,
        row -> {
          String key = String.valueOf(row.text(1));
          try {
            Instant when = StoredTime.of((double) row.number(2));
            String with = row.text(3);
            String type = row.text(4);
            if (!"xml".equals(type)) {
              throw new BadRecordException("an item of the type \"" + type + "\"");
            }
            Element element = StoredXml.read(String.valueOf(row.text(5)));
            items.item(key, when, with == null ? "" : with, element);
          } catch (BadRecordException e) {
            items.damaged(where(host, user, store) + " " + key, String.valueOf(e.getMessage()));
          }
          return true;
        },
        host,
        user,
        store);
  }

  @Override
  public String where(String host, @Nullable String user, String store) {
    return database.name() + " " + store + " of " + (user == null ? host : user + "@" + host);
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
