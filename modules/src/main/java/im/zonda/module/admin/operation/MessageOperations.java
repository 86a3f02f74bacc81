package im.zonda.module.admin.operation;

import im.zonda.jid.Jid;
import im.zonda.journal.Effect;
import im.zonda.journal.Reason;
import im.zonda.journal.ReasonTexts;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.DeliveryReports;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Value;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations that say why a message did not arrive, or whether one would. They never show what is
/// in messages.
public final class MessageOperations {
  @SuppressWarnings("UnusedVariable") // annotations below name it
  private static final String THE_HOST =
      "the host of the receiver, or of the sender if the receiver is elsewhere";

  /// A language of sentences.
  public enum Language {
    EN,
    DE,
    ES,
    FR,
    IT
  }

  /// A message that is looked for.
  public record Wanted(
      @Field(value = THE_HOST, form = Form.DOMAIN) String host,
      @Field("who has sent it") Jid sender,
      @Field("whom it was for: a person, a room, or somebody at another server") Jid receiver,
      @Field("about when it was sent, within five minutes; the last seven days if not given")
          @Nullable Instant at,
      @Field("the id that the sender's client gave it") @Nullable String id,
      @Field(value = "the language of the sentences", fallback = "en") Language language) {}

  /// A message that could be sent.
  public record Probed(
      @Field(value = THE_HOST, form = Form.DOMAIN) String host,
      @Field("who would send it") Jid sender,
      @Field("whom it would be for: a person, or somebody at another server") Jid receiver,
      @Field(value = "the language of the sentences", fallback = "en") Language language) {}

  /// Something that is known of a message, or of what is in its way.
  public record Finding(
      @Field("what it is") String text,
      @Field("what can be done") @Nullable String advice,
      @Field("when it happened; nothing if it is so now") @Nullable Instant time,
      @Field("the reason, as a word") Reason reason,
      @Field("what it means for the message") Effect effect,
      @Field("the id of the message") @Nullable String id,
      @Field("the node of the cluster that has recorded it") @Nullable String node) {}

  /// What is known of a message.
  public record Fate(@Field("what is known, the most likely cause first") List<Finding> findings) {}

  /// `message.fate`.
  public static final Operation<Wanted, Fate> FATE =
      Operation.read("message.fate", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/messages/fate",
              "Say why a message did not arrive, or what became of it",
              Wanted.class,
              Fate.class);

  /// `message.probe`.
  public static final Operation<Probed, Fate> PROBE =
      Operation.read("message.probe", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/messages/probe",
              "Say whether a message would arrive at present, without sending one",
              Probed.class,
              Fate.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(FATE, PROBE);

  private final MessageFate fate;
  private final Jid host;

  public MessageOperations(ModuleContext context, DeliveryReports reports) {
    this.host = context.domain();
    this.fate = new MessageFate(context, reports);
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(FATE.by((_, wanted) -> fate(wanted)), PROBE.by((_, probed) -> probe(probed)));
  }

  private Outcome<Fate> fate(Wanted wanted) throws InterruptedException {
    Outcome<Fate> foreign = foreign(wanted.sender(), wanted.receiver());
    if (foreign != null) {
      return foreign;
    }
    MessageFate.Question question =
        new MessageFate.Question(wanted.sender(), wanted.receiver(), wanted.at(), wanted.id());
    return Outcome.done(written(fate.find(question), question, wanted.language()));
  }

  private Outcome<Fate> probe(Probed probed) throws InterruptedException {
    Outcome<Fate> foreign = foreign(probed.sender(), probed.receiver());
    if (foreign != null) {
      return foreign;
    }
    MessageFate.Question question =
        new MessageFate.Question(probed.sender(), probed.receiver(), null, null);
    return Outcome.done(written(fate.probe(question), question, probed.language()));
  }

  /// Administrators of a host learn nothing of others.
  private @Nullable Outcome<Fate> foreign(Jid sender, Jid receiver) {
    return fate.isOfHost(receiver) || fate.isOfHost(sender)
        ? null
        : Outcome.invalid(
            "receiver", "Neither " + sender + " nor " + receiver + " belongs to " + host + ".");
  }

  private static Fate written(
      List<MessageFate.Known> known, MessageFate.Question question, Language language) {
    ReasonTexts texts = ReasonTexts.read(Value.word(language));
    String sender = question.sender().toString();
    String receiver = question.receiver().toString();
    return new Fate(
        known.stream()
            .map(each ->
                new Finding(
                    texts.sentence(each.reason(), sender, receiver, each.detail()),
                    texts.advice(each.reason(), sender, receiver),
                    each.time(),
                    each.reason(),
                    each.reason().effect(),
                    each.id(),
                    each.node()))
            .toList());
  }
}
