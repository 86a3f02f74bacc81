package im.zonda.app.trace;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.trace.recording.Choice;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Traces that run: in the store, which the nodes of a cluster share, and in force at this node.
/// Any thread may call.
final class StoredChoices {
  /// The key-value store.
  static final String STORE = "traces";

  /// The most traces at a time.
  static final int MOST = 30;

  /// To whom the values belong: the server as a whole.
  private static final Jid OWNER = Jid.of(null, "zonda.invalid", null);

  private static final Logger LOG = LoggerFactory.getLogger(StoredChoices.class);
  private static final Comparator<Choice> NEWEST =
      Comparator.comparing(Choice::since).thenComparing(Choice::name).reversed();

  private final KeyValueStore store;
  private final InstantSource clock;
  private final Consumer<List<Choice>> traces;
  private volatile List<Choice> present = List.of();

  /// Reads the choices. Blocks.
  ///
  /// @param traces gets them
  StoredChoices(KeyValueStore store, InstantSource clock, Consumer<List<Choice>> traces) {
    this.store = store;
    this.clock = clock;
    this.traces = traces;
    read();
  }

  /// Reads what another node may have changed, and erases what has ended. Blocks.
  synchronized void read() {
    Instant now = clock.instant();
    List<Choice> read = new ArrayList<>();
    store
        .all(OWNER)
        .forEach((name, stored) -> {
          try {
            Choice choice = parse(name, new String(stored, StandardCharsets.UTF_8));
            if (choice.holds(now)) {
              read.add(choice);
            } else {
              store.remove(OWNER, name);
            }
          } catch (RuntimeException e) {
            LOG.atError().addKeyValue("trace", name).setCause(e).log("trace_damaged");
          }
        });
    read.sort(NEWEST);
    present = List.copyOf(read);
    traces.accept(present);
  }

  /// The same after a notice of another node; a failure is logged.
  void readAfterNotice() {
    try {
      read();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("traces_not_read");
    }
  }

  /// Lines: address, domain, network, one in how many, since, until, by.
  private static Choice parse(String name, String stored) {
    String[] lines = stored.split("\n", 7);
    return new Choice(
        name,
        lines[0].isEmpty() ? null : Jid.stored(lines[0]),
        lines[1].isEmpty() ? null : lines[1],
        lines[2].isEmpty() ? null : lines[2],
        Integer.parseInt(lines[3]),
        Instant.ofEpochMilli(Long.parseLong(lines[4])),
        Instant.ofEpochMilli(Long.parseLong(lines[5])),
        lines[6]);
  }

  private static String text(Choice choice) {
    return String.join(
        "\n",
        line(choice.address()),
        line(choice.domain()),
        line(choice.network()),
        String.valueOf(choice.oneIn()),
        String.valueOf(choice.since().toEpochMilli()),
        String.valueOf(choice.until().toEpochMilli()),
        choice.by());
  }

  private static String line(@Nullable Object value) {
    return Objects.toString(value, "");
  }

  /// Those in force, the newest first.
  List<Choice> all() {
    Instant now = clock.instant();
    return present.stream().filter(each -> each.holds(now)).toList();
  }

  /// Adds a choice; false if there are too many. Blocks.
  synchronized boolean add(Choice choice) {
    read();
    if (all().size() >= MOST) {
      return false;
    }
    store.put(OWNER, choice.name(), text(choice).getBytes(StandardCharsets.UTF_8));
    read();
    return true;
  }

  /// Removes a choice; null if there is none. Blocks.
  synchronized @Nullable Choice remove(String name) {
    read();
    Choice found = all().stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    boolean _ = store.remove(OWNER, name);
    read();
    return found;
  }
}
