package im.zonda.app.operation;

import im.zonda.operation.Field;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.AuditStore;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on the record of what administrators have done.
public final class AuditOperations {
  private static final int PORTION = 500;

  /// A search.
  public record Search(
      @Field(value = "only events about this host", form = Field.Form.DOMAIN) @Nullable String host,
      @Field("only what this caller has asked for: an address, or the name of a token")
          @Nullable String caller,
      @Field("only this operation, or all whose names begin with it and a dot")
          @Nullable String operation,
      @Field("only what was about this address or name") @Nullable String subject,
      @Field("only events at that time or later") @Nullable Instant since,
      @Field("only events before that time") @Nullable Instant until,
      @Field("only events that are listed after this one, by its id") @Nullable Long after,
      @Field(value = "the most events", min = 1, max = 500, fallback = "50") int limit) {}

  /// A search without pages.
  public record Selected(
      @Field(value = "only events about this host", form = Field.Form.DOMAIN) @Nullable String host,
      @Field("only what this caller has asked for: an address, or the name of a token")
          @Nullable String caller,
      @Field("only this operation, or all whose names begin with it and a dot")
          @Nullable String operation,
      @Field("only what was about this address or name") @Nullable String subject,
      @Field("only events at that time or later") @Nullable Instant since,
      @Field("only events before that time") @Nullable Instant until) {}

  /// An event.
  public record Event(
      @Field("its id") long id,
      @Field("when it happened") Instant time,
      @Field("who asked") String caller,
      @Field("by which way") String via,
      @Field("from which network address") @Nullable String from,
      @Field("for what") String operation,
      @Field("the host that it was about") @Nullable String host,
      @Field("the address or name that it was about") @Nullable String subject,
      @Field("what became of it") String outcome,
      @Field("the input without secrets, and what was changed, as JSON") @Nullable String detail) {}

  /// A page of events.
  public record Listed(
      @Field("the events, the newest first") List<Event> events,
      @Field(Field.NEXT) @Nullable Long next) {}

  /// `audit.list`.
  public static final Operation<Search, Listed> LIST =
      Operation.read("audit.list", Right.AUDIT)
          .at("GET /audit", "List what administrators have done", Search.class, Listed.class);

  /// `audit.export`.
  public static final Operation<Selected, Event> EXPORT =
      Operation.read("audit.export", Right.AUDIT)
          .at(
              "GET /audit/export",
              "Export what administrators have done, the newest first",
              Selected.class,
              Event.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, EXPORT);

  private AuditOperations() {}

  /// The operations on what is recorded in a store.
  public static List<Offer<?, ?>> of(AuditStore store) {
    return List.of(
        LIST.by((_, search) -> Outcome.done(list(store, search))),
        EXPORT.by((_, selected) -> export(store, selected)));
  }

  private static Listed list(AuditStore store, Search search) {
    List<Event> found =
        store
            .find(
                new AuditStore.Query(
                    search.caller(),
                    search.operation(),
                    search.host(),
                    search.subject(),
                    search.since(),
                    search.until(),
                    search.after() == null ? Long.MAX_VALUE : search.after(),
                    search.limit() + 1))
            .stream()
            .map(AuditOperations::event)
            .toList();
    boolean more = found.size() > search.limit();
    List<Event> page = more ? found.subList(0, search.limit()) : found;
    return new Listed(page, more ? (Long) page.getLast().id() : null);
  }

  private static Outcome<Event> export(AuditStore store, Selected selected) {
    AuditStore.Query first =
        new AuditStore.Query(
            selected.caller(),
            selected.operation(),
            selected.host(),
            selected.subject(),
            selected.since(),
            selected.until(),
            Long.MAX_VALUE,
            PORTION);
    return new Outcome.Following<>(sink -> {
      AuditStore.Query query = first;
      while (true) {
        List<AuditStore.Recorded> portion = store.find(query);
        for (AuditStore.Recorded each : portion) {
          sink.accept(event(each));
        }
        if (portion.size() < PORTION) {
          return;
        }
        query = query.before(portion.getLast().id());
      }
    });
  }

  private static Event event(AuditStore.Recorded recorded) {
    AuditStore.Event event = recorded.event();
    return new Event(
        recorded.id(),
        event.time(),
        event.caller(),
        event.via(),
        event.from(),
        event.operation(),
        event.host(),
        event.subject(),
        event.outcome(),
        event.detail());
  }
}
