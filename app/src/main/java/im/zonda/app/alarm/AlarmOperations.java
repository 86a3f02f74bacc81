package im.zonda.app.alarm;

import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on alarms.
public final class AlarmOperations {
  /// Alarms that are looked for.
  public record Wanted(
      @Field("whether only those that are active") boolean active,
      @Field("the alarm after which to start") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = AlarmWatch.MOST) int limit) {}

  /// Alarms.
  public record Found(
      @Field("the alarms, the newest first") List<Listed> alarms,
      @Field(Field.NEXT) @Nullable String next) {
    /// Copies the list.
    public Found {
      alarms = List.copyOf(alarms);
    }
  }

  /// An alarm.
  public record Listed(
      @Field("whether it is active or past") State state,
      @Field("what it says") String text,
      @Field("since when") Instant since,
      @Field("when it ended") @Nullable Instant ended,
      @Field("who has acknowledged it") @Nullable String acknowledgedBy,
      @Field("when") @Nullable Instant acknowledgedAt,
      @Field(
              "what it is about: disk, heap, certificate, store, log-queue, s2s-queue, pauses, clock,"
                  + " node, quorum, copies, replication")
          Condition.Kind kind,
      @Field("the host, node or clock that it is about; empty for the server") String subject,
      @Field("the node of a cluster; empty without one") String node,
      @Field("its name") String alarm) {}

  /// The state of an alarm.
  public enum State {
    /// The threshold is still exceeded.
    ACTIVE,
    /// It is over.
    PAST
  }

  /// An alarm that is chosen.
  public record Chosen(@Field(value = "the name of the alarm", max = 100) String alarm) {}

  /// `alarm.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("alarm.list", Right.SERVER)
          .at("GET /alarms", "List alarms, active and past", Wanted.class, Found.class);

  /// `alarm.acknowledge`.
  public static final Operation<Chosen, Nothing> ACKNOWLEDGE =
      Operation.change("alarm.acknowledge", Right.SERVER)
          .at(
              "POST /alarms/acknowledge",
              "Note that an alarm was seen",
              Chosen.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, ACKNOWLEDGE);

  private AlarmOperations() {}

  /// The operations.
  public static List<Offer<?, ?>> of(AlarmWatch alarms) {
    return List.of(
        LIST.by((_, wanted) -> Outcome.done(list(alarms, wanted))),
        ACKNOWLEDGE.by(
            (call, chosen) -> acknowledge(alarms, chosen.alarm(), call.caller().name())));
  }

  private static Found list(AlarmWatch alarms, Wanted wanted) {
    List<Alarm> all =
        alarms.all().stream().filter(each -> !wanted.active() || each.ended() == null).toList();
    int from = 0;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).id().equals(wanted.after())) {
        from = i + 1;
      }
    }
    int to = Math.min(all.size(), from + wanted.limit());
    return new Found(
        all.subList(from, to).stream().map(AlarmOperations::listed).toList(),
        to < all.size() ? all.get(to - 1).id() : null);
  }

  private static Listed listed(Alarm alarm) {
    return new Listed(
        alarm.ended() == null ? State.ACTIVE : State.PAST,
        alarm.text(),
        alarm.since(),
        alarm.ended(),
        alarm.acknowledgedBy(),
        alarm.acknowledgedAt(),
        alarm.kind(),
        alarm.subject(),
        alarm.node(),
        alarm.id());
  }

  private static Outcome<Nothing> acknowledge(AlarmWatch alarms, String id, String by) {
    try {
      return alarms.acknowledge(id, by) == null
          ? Outcome.notFound("There is no alarm " + id + ".")
          : Nothing.done();
    } catch (StoreException e) {
      return new Outcome.Refused<>(
          Outcome.Reason.UNAVAILABLE, "The alarm cannot be stored: " + e.getMessage(), null);
    }
  }
}
