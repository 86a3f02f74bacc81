package im.zonda.app.journal;

import im.zonda.jid.Jid;
import im.zonda.journal.Effect;
import im.zonda.journal.JournalSearch;
import im.zonda.journal.JournalStore;
import im.zonda.journal.Reason;
import im.zonda.journal.ReasonTexts;
import im.zonda.journal.recording.DeliveryJournal;
import im.zonda.operation.Field;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Value;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations on the record of stanzas that were not delivered as usual.
public final class JournalOperations {
  /// A language of sentences.
  public enum Language {
    EN,
    DE,
    ES,
    FR,
    IT
  }

  /// A search.
  public record Wanted(
      @Field("only what this address has sent, or was sent") @Nullable Jid address,
      @Field("only what was between the address and this one") @Nullable Jid with,
      @Field("only this reason") @Nullable Reason reason,
      @Field("only what happened at that time or later") @Nullable Instant since,
      @Field("only what happened before that time") @Nullable Instant until,
      @Field("only what happened before this one, by its id") @Nullable Long after,
      @Field(value = Field.LIMIT, min = 1, max = 500, fallback = "50") int limit,
      @Field(value = "the language of the sentences", fallback = "en") Language language) {}

  /// A stanza that was not delivered as usual.
  public record Event(
      @Field("its id in the record") long id,
      @Field("when it happened") Instant time,
      @Field("why") Reason reason,
      @Field("what it means for the stanza") Effect effect,
      @Field("who has sent it") @Nullable Jid sender,
      @Field("whom it was for") @Nullable Jid receiver,
      @Field("the kind of stanza") String kind,
      @Field("the id that the sender gave it") @Nullable String stanza,
      @Field("which part of the server has decided") String place,
      @Field("the node of the cluster") @Nullable String node,
      @Field("what happened, as a sentence") String text) {}

  /// A page of the record.
  public record Found(
      @Field("what was found, the newest first") List<Event> events,
      @Field(Field.NEXT) @Nullable Long next) {}

  /// `journal.search`.
  public static final Operation<Wanted, Found> SEARCH =
      Operation.read("journal.search", Right.ACCOUNTS)
          .at(
              "GET /journal",
              "List stanzas that were not delivered as usual, without their contents",
              Wanted.class,
              Found.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(SEARCH);

  private JournalOperations() {}

  /// The operations on a record.
  public static List<Offer<?, ?>> of(JournalSearch journal) {
    return List.of(SEARCH.by((_, wanted) -> search(journal, wanted)));
  }

  private static Outcome<Found> search(JournalSearch journal, Wanted wanted) {
    if (wanted.with() != null && wanted.address() == null) {
      return Outcome.invalid("with", "Give an address too.");
    }
    Reason reason = wanted.reason();
    Instant since = wanted.since();
    Instant until = wanted.until();
    long before = until == null ? Long.MAX_VALUE : DeliveryJournal.idOf(until);
    Long after = wanted.after();
    List<JournalStore.Event> found =
        journal.find(
            new JournalStore.Query(
                wanted.address(),
                wanted.with(),
                reason == null ? null : reason.word(),
                since == null ? Long.MIN_VALUE : DeliveryJournal.idOf(since),
                after == null ? before : Math.min(before, after),
                wanted.limit() + 1));
    boolean more = found.size() > wanted.limit();
    List<JournalStore.Event> page = more ? found.subList(0, wanted.limit()) : found;
    ReasonTexts texts = ReasonTexts.read(Value.word(wanted.language()));
    return Outcome.done(
        new Found(
            page.stream().map(each -> event(each, texts)).toList(),
            more ? (Long) page.getLast().id() : null));
  }

  private static Event event(JournalStore.Event event, ReasonTexts texts) {
    Reason reason = Objects.requireNonNullElse(Reason.of(event.reason()), Reason.REFUSED);
    return new Event(
        event.id(),
        event.time(),
        reason,
        reason.effect(),
        event.sender(),
        event.receiver(),
        event.kind(),
        event.stanza(),
        event.place(),
        event.node().isEmpty() ? null : event.node(),
        texts.sentence(reason, text(event.sender()), text(event.receiver()), event.detail()));
  }

  private static @Nullable String text(@Nullable Jid address) {
    return address == null ? null : address.toString();
  }
}
