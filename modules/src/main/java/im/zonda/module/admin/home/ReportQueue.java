package im.zonda.module.admin.home;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports of abuse (XEP-0377) that no administrator has closed. In the store, so that they outlast
/// restarts and are the same at all nodes; bounded in number and time.
public final class ReportQueue {
  /// The key-value store.
  public static final String STORE = "reports";

  /// The most reports of a host: a new one takes the place of the oldest.
  static final int MOST = 500;

  private static final Logger LOG = LoggerFactory.getLogger(ReportQueue.class);
  private static final Duration TIME = Duration.ofDays(90);
  private static final int MOST_CHARS = 2_000;

  /// A report.
  ///
  /// @param id its identifier; reports are in the order of their identifiers and times
  /// @param reported who is reported
  /// @param reason `spam` or `abuse`
  /// @param text what the reporter says, or null
  public record Report(
      String id, Instant time, Jid reporter, Jid reported, String reason, @Nullable String text) {}

  private final KeyValueStore store;
  private final ModuleContext context;

  /// @param context has the store
  public ReportQueue(ModuleContext context) {
    store = context.keyValues(STORE);
    this.context = context;
  }

  /// The reports, the oldest first. Blocks.
  public List<Report> all() {
    Instant oldest = context.clock().instant().minus(TIME);
    List<Report> reports = new ArrayList<>();
    new TreeMap<>(store.all(context.domain()))
        .forEach((id, stored) -> {
          Report report = read(id, new String(stored, StandardCharsets.UTF_8));
          if (report != null && report.time().isAfter(oldest)) {
            reports.add(report);
          }
        });
    return reports;
  }

  /// A line each: reporter, reported, reason; then the text. Null if it is damaged.
  private static @Nullable Report read(String id, String stored) {
    String[] lines = stored.split("\n", 4);
    try {
      return new Report(
          id,
          Instant.ofEpochMilli(Long.parseLong(id.substring(0, id.indexOf('-')))),
          Jid.stored(lines[0]),
          Jid.stored(lines[1]),
          lines[2],
          lines[3].isEmpty() ? null : lines[3]);
    } catch (JidFormatException
        | IndexOutOfBoundsException
        | NumberFormatException
        | DateTimeException e) {
      LOG.atError().addKeyValue("report", id).setCause(e).log("report_damaged");
      return null;
    }
  }

  /// Keeps a report, and erases what is too old or too much. Blocks.
  void add(Jid reporter, Jid reported, String reason, String text) {
    Instant now = context.clock().instant();
    Map<String, byte[]> kept = new TreeMap<>(store.all(context.domain()));
    long oldest = now.minus(TIME).toEpochMilli();
    int left = kept.size();
    for (String id : kept.keySet()) {
      if (left < MOST && id.compareTo(key(oldest + 1)) >= 0) {
        break;
      }
      store.remove(context.domain(), id);
      left--;
    }
    String shown = text.length() > MOST_CHARS ? text.substring(0, MOST_CHARS) : text;
    String value = reporter.bare() + "\n" + reported + "\n" + reason + "\n" + shown;
    store.put(
        context.domain(),
        key(now.toEpochMilli()) + "-" + context.ids().next(),
        value.getBytes(StandardCharsets.UTF_8));
  }

  private static String key(long millis) {
    return String.format(Locale.ROOT, "%015d", millis);
  }

  /// Closes a report; false if there is none of that identifier, or somebody has closed it. Blocks.
  public boolean close(String id) {
    return store.remove(context.domain(), id);
  }
}
