package im.zonda.app.database;

import im.zonda.app.status.ByteCount;
import im.zonda.json.JsonText;
import im.zonda.storage.sql.DatabaseMaintenance.Upgrade;
import im.zonda.storage.sql.DatabaseStatus;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The status of a database, as text or JSON.
///
/// @param status what the database has
/// @param isServerRunning whether a server uses the data folder
public record DatabaseText(DatabaseStatus status, boolean isServerRunning) {
  /// Several lines for a terminal.
  public String lines() {
    DatabaseStatus.Counts counts = status.counts();
    DatabaseStatus.Indexes indexes = status.indexes();
    StringBuilder text = new StringBuilder();
    line(text, status.product(), "at " + status.address());
    line(text, "  schema", schema());
    line(text, "  size", ByteCount.text(status.size()));
    line(text, "  in use", isInUse() ? "by a server" : "no");
    if (status.copyOf() != null) {
      line(text, "  copy", "of " + status.copyOf() + ", not finished; no server can use it");
    }
    line(text, "  accounts", number(counts.accounts()));
    line(text, "  rooms", number(counts.rooms()));
    line(
        text,
        "  messages",
        number(counts.messages()) + ", " + number(counts.waiting()) + " wait for delivery");
    if (status.copyOf() == null) {
      line(text, "  archive", "index has " + indexed(indexes.archive()));
      Long words = indexes.words();
      line(
          text,
          "  words",
          words == null ? "full-text search is off" : "index has " + indexed(words));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-12s %s%n", name, value));
  }

  private String schema() {
    int version = status.schema();
    int newest = status.newestSchema();
    if (version == 0) {
      return "none, the database is empty";
    }
    if (version == newest) {
      return Integer.toString(version);
    }
    return version < newest
        ? version
            + ", older than "
            + newest
            + " of this program; the next start or 'zonda database migrate' upgrades it"
        : version
            + ", newer than "
            + newest
            + " of this program, which can use the database if the newer version lets it";
  }

  private String indexed(long missing) {
    long messages = status.counts().messages();
    return missing == 0 ? "all" : number(messages - missing) + " of " + number(messages);
  }

  private boolean isInUse() {
    return isServerRunning || status.taken();
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// One JSON object and a line end.
  public String json() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("product", status.product());
    all.put("address", status.address());
    all.put("schema", status.schema());
    all.put("newestSchema", status.newestSchema());
    all.put("bytes", status.size());
    all.put("inUse", isInUse());
    all.put("copyOf", status.copyOf());
    all.put("accounts", status.counts().accounts());
    all.put("rooms", status.counts().rooms());
    all.put("messages", status.counts().messages());
    all.put("waiting", status.counts().waiting());
    all.put("notIndexed", status.indexes().archive());
    all.put("notIndexedWords", status.indexes().words());
    return JsonText.of(all) + "\n";
  }

  /// What an upgrade has done, in a line.
  public static String of(Upgrade upgrade) {
    return upgrade.from() == upgrade.to()
        ? upgrade.database() + " has schema " + upgrade.to() + " already; nothing was changed"
        : upgrade.database()
            + " has been upgraded from schema "
            + upgrade.from()
            + " to "
            + upgrade.to();
  }
}
