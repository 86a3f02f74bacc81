package im.zonda.app.trace;

import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.journal.ReasonTexts;
import im.zonda.module.Scheduler;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Value;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.timer.PeriodicTask;
import im.zonda.trace.StepTexts;
import im.zonda.trace.TraceStore;
import im.zonda.trace.recording.Choice;
import im.zonda.trace.recording.DeliveryTraces;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Operations on traces. They never show what is in messages.
public final class TraceOperations {
  /// What another node of a cluster has changed counts here after this time, if its notice is lost.
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);

  private static final Duration LONGEST = Duration.ofDays(1);

  /// A language of sentences.
  public enum Language {
    EN,
    DE,
    ES,
    FR,
    IT
  }

  /// What is to be traced.
  public record New(
      @Field("an account or a room: what it sends and gets") @Nullable Jid address,
      @Field(value = "a domain: what comes from there and goes there", max = 1023)
          @Nullable String domain,
      @Field(
              value =
                  "a network address such as 192.0.2.7, or a network such as 192.0.2.0/24:"
                      + " what clients send from there",
              max = 50)
          @Nullable String network,
      @Field(value = "one of so many messages that clients send", min = 1, max = 1_000_000)
          @Nullable Integer oneIn,
      @Field(value = "how long, at most 1d", fallback = "1h") Duration time) {}

  /// A trace that was begun.
  public record Begun(
      @Field("its name") String trace, @Field("when it ends by itself") Instant until) {}

  /// Traces that are looked for.
  public record Wanted(
      @Field("the name after which to start") @Nullable String after,
      @Field(value = Field.LIMIT, min = 1, max = 500, fallback = "50") int limit) {}

  /// A trace that runs.
  public record Running(
      @Field("its name") String trace,
      @Field("the account or room") @Nullable Jid address,
      @Field("the domain") @Nullable String domain,
      @Field("the network of clients") @Nullable String network,
      @Field("of how many messages one is traced") @Nullable Integer oneIn,
      @Field("when it began") Instant since,
      @Field("when it ends by itself") Instant until,
      @Field("who has begun it") String by) {}

  /// Traces that run.
  public record Found(
      @Field("the traces, the newest first") List<Running> traces,
      @Field(Field.NEXT) @Nullable String next) {}

  /// A trace to end.
  public record Chosen(@Field(value = "its name", max = 64) String trace) {}

  /// Messages that are looked for.
  public record Sought(
      @Field("only what this address has sent, or was sent") @Nullable Jid address,
      @Field(value = "only what this trace has chosen, by its name", max = 64)
          @Nullable String trace,
      @Field("only what was sent at that time or later") @Nullable Instant since,
      @Field("only what was sent before that time") @Nullable Instant until,
      @Field("only what was sent before this one, by its id") @Nullable Long after,
      @Field(value = Field.LIMIT, min = 1, max = 500, fallback = "50") int limit) {}

  /// A message that was traced.
  public record Traced(
      @Field("its id in the list") long id,
      @Field("when it was sent") Instant time,
      @Field("the name of its steps") String message,
      @Field("who has sent it") @Nullable Jid sender,
      @Field("whom it is for") @Nullable Jid receiver,
      @Field("the kind of message") String type,
      @Field("the id that the sender gave it") @Nullable String stanza,
      @Field("the name of the trace") String trace,
      @Field("the node where it was sent") @Nullable String node) {}

  /// A page of messages.
  public record Messages(
      @Field("the messages, the newest first") List<Traced> messages,
      @Field(Field.NEXT) @Nullable Long next) {}

  /// A message whose steps are wanted.
  public record Shown(
      @Field(value = "the name of its steps, as trace.messages gives it", max = 20) String message,
      @Field(value = "the language of the sentences", fallback = "en") Language language) {}

  /// A step of a message.
  public record Step(
      @Field("when it was") Instant time,
      @Field("how long after the first step, in microseconds") long after,
      @Field("how long after the step before, in microseconds") long took,
      @Field("which part of the server, as a word") String place,
      @Field("the same in words") String where,
      @Field("what has happened, as a word") String verdict,
      @Field("why, as a word") @Nullable Reason reason,
      @Field("what has happened, as a sentence") String text,
      @Field("the node of the cluster") @Nullable String node) {}

  /// The way of a message.
  public record Way(
      @Field("who has sent it") @Nullable Jid sender,
      @Field("whom it is for") @Nullable Jid receiver,
      @Field("the kind of message") @Nullable String type,
      @Field("the id that the sender gave it") @Nullable String stanza,
      @Field("when it was sent") @Nullable Instant time,
      @Field("from the first step to the last, in microseconds") long took,
      @Field("its steps in their order") List<Step> steps) {}

  /// `trace.start`.
  public static final Operation<New, Begun> START =
      Operation.change("trace.start", Right.ACCOUNTS)
          .at(
              "POST /traces",
              "Note the steps of some messages for a while, without their contents",
              New.class,
              Begun.class);

  /// `trace.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("trace.list", Right.ACCOUNTS)
          .at("GET /traces", "List the traces that run", Wanted.class, Found.class);

  /// `trace.stop`.
  public static final Operation<Chosen, Nothing> STOP =
      Operation.change("trace.stop", Right.ACCOUNTS)
          .at(
              "POST /traces/{trace}/stop",
              "End a trace; its messages and steps are kept for seven days",
              Chosen.class,
              Nothing.class);

  /// `trace.messages`.
  public static final Operation<Sought, Messages> MESSAGES =
      Operation.read("trace.messages", Right.ACCOUNTS)
          .at(
              "GET /traces/messages",
              "List messages whose steps were noted, without their contents",
              Sought.class,
              Messages.class);

  /// `trace.show`.
  public static final Operation<Shown, Way> SHOW =
      Operation.read("trace.show", Right.ACCOUNTS)
          .at(
              "GET /traces/messages/{message}",
              "Show each step of a message, and how long it took",
              Shown.class,
              Way.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(START, LIST, STOP, MESSAGES, SHOW);

  private final DeliveryTraces traces;
  private final StoredChoices choices;
  private final MessageLog log;
  private final InstantSource clock;
  private final Runnable changed;

  private TraceOperations(
      DeliveryTraces traces,
      StoredChoices choices,
      MessageLog log,
      InstantSource clock,
      Runnable changed) {
    this.traces = traces;
    this.choices = choices;
    this.log = log;
    this.clock = clock;
    this.changed = changed;
  }

  /// Traces at a server what the store says, and offers the operations.
  ///
  /// @return what reads it again every so often
  public static Scheduler.Cancellable offerAt(
      XmppServer server,
      Function<String, KeyValueStore> stores,
      MessageLog log,
      ServerRuntime runtime) {
    server.traces().findNetworksBy(network -> new AddressRanges(List.of(network))::contains);
    StoredChoices choices =
        new StoredChoices(
            stores.apply(StoredChoices.STORE), runtime.clock(), server.traces()::choose);
    server
        .notices()
        .on(StoredChoices.STORE, () -> runtime.workers().execute(choices::readAfterNotice));
    TraceOperations operations =
        new TraceOperations(
            server.traces(),
            choices,
            log,
            runtime.clock(),
            () -> server.notices().post(StoredChoices.STORE));
    server.catalogue().offer(operations.offers());
    return PeriodicTask.start(
        runtime.scheduler(), READ_AGAIN, READ_AGAIN, runtime.workers(), choices::readAfterNotice);
  }

  private List<Offer<?, ?>> offers() {
    return List.of(
        START.by(this::start),
        LIST.by((_, wanted) -> list(wanted)),
        STOP.by(this::stop),
        MESSAGES.by((_, sought) -> messages(sought)),
        SHOW.by((_, shown) -> show(shown)));
  }

  // ---- what is traced

  private Outcome<Begun> start(Call call, New wanted) {
    long chosen =
        Stream.of(wanted.address(), wanted.domain(), wanted.network(), wanted.oneIn())
            .filter(each -> each != null)
            .count();
    if (chosen != 1) {
      return Outcome.invalid(
          "address",
          "Give one of these: address, domain, network, one-in. There is no more to it.");
    }
    Duration time = wanted.time();
    if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
      return Outcome.invalid("time", "A trace ends within a day.");
    }
    String network = wanted.network();
    if (network != null && !isNetwork(network.strip())) {
      return Outcome.invalid("network", network + " is no address and no network.");
    }
    String domain = wanted.domain();
    if (domain != null && !isDomain(domain)) {
      return Outcome.invalid("domain", domain + " is no domain.");
    }
    Jid address = wanted.address();
    Integer oneIn = wanted.oneIn();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Choice choice =
        new Choice(
            Long.toString(log.nextId(), Character.MAX_RADIX),
            address == null ? null : address.bare(),
            domain == null ? null : Jid.of(domain).domain(),
            network == null ? null : network.strip(),
            oneIn == null ? 0 : oneIn,
            now,
            now.plus(time),
            call.caller().name());
    if (!choices.add(choice)) {
      return Outcome.refused(
          Outcome.Reason.TOO_MANY,
          "There are " + StoredChoices.MOST + " traces already: end one of them.");
    }
    changed.run();
    call.changed("trace", null, what(choice) + " until " + choice.until());
    return Outcome.done(new Begun(choice.name(), choice.until()));
  }

  private static boolean isNetwork(String network) {
    try {
      AddressRanges _ = new AddressRanges(List.of(network));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isDomain(String domain) {
    try {
      return Jid.of(domain).isDomain();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String what(Choice choice) {
    if (choice.address() != null) {
      return choice.address().toString();
    }
    if (choice.domain() != null) {
      return "the domain " + choice.domain();
    }
    return choice.network() == null
        ? "one message in " + choice.oneIn()
        : "clients of " + choice.network();
  }

  private Outcome<Found> list(Wanted wanted) {
    List<Choice> all = choices.all();
    int start = 0;
    if (wanted.after() != null) {
      for (int i = 0; i < all.size(); i++) {
        start = all.get(i).name().equals(wanted.after()) ? i + 1 : start;
      }
    }
    int end = Math.min(all.size(), start + wanted.limit());
    List<Running> page =
        all.subList(start, end).stream()
            .map(each ->
                new Running(
                    each.name(),
                    each.address(),
                    each.domain(),
                    each.network(),
                    each.oneIn() == 0 ? null : (Integer) each.oneIn(),
                    each.since(),
                    each.until(),
                    each.by()))
            .toList();
    return Outcome.done(new Found(page, end < all.size() ? page.getLast().trace() : null));
  }

  private Outcome<Nothing> stop(Call call, Chosen chosen) {
    Choice ended = choices.remove(chosen.trace());
    if (ended == null) {
      return Outcome.notFound("There is no trace " + chosen.trace() + "; it may have ended.");
    }
    changed.run();
    call.changed("trace", what(ended), null);
    return Nothing.done();
  }

  // ---- what was noted

  private Outcome<Messages> messages(Sought sought) {
    Instant since = sought.since();
    Instant until = sought.until();
    Long after = sought.after();
    long before = until == null ? Long.MAX_VALUE : id(until);
    List<TraceStore.Traced> found =
        traces.find(
            new TraceStore.Query(
                sought.address(),
                sought.trace(),
                since == null ? Long.MIN_VALUE : id(since),
                after == null ? before : Math.min(before, after),
                sought.limit() + 1));
    boolean more = found.size() > sought.limit();
    List<TraceStore.Traced> page = more ? found.subList(0, sought.limit()) : found;
    return Outcome.done(
        new Messages(
            page.stream().map(TraceOperations::traced).toList(),
            more ? (Long) page.getLast().id() : null));
  }

  private static long id(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  private static Traced traced(TraceStore.Traced message) {
    return new Traced(
        message.id(),
        message.time(),
        Long.toHexString(message.trace()),
        message.sender(),
        message.receiver(),
        message.kind(),
        message.stanza(),
        message.chosen(),
        node(message.node()));
  }

  private static @Nullable String node(String name) {
    return name.isEmpty() ? null : name;
  }

  private Outcome<Way> show(Shown shown) {
    long trace;
    try {
      trace = Long.parseUnsignedLong(shown.message(), 16);
    } catch (NumberFormatException e) {
      return Outcome.invalid("message", "That is no name of steps; trace messages has them.");
    }
    TraceStore.Traced message = traces.message(trace);
    List<TraceStore.Step> noted = traces.steps(trace);
    if (message == null && noted.isEmpty()) {
      return Outcome.notFound("Nothing is known of that message; traces stay for seven days.");
    }
    List<Step> steps = steps(message, noted, Value.word(shown.language()));
    long took = noted.isEmpty() ? 0 : noted.getLast().time() - noted.getFirst().time();
    return Outcome.done(
        message == null
            ? new Way(null, null, null, null, null, took, steps)
            : new Way(
                message.sender(),
                message.receiver(),
                message.kind(),
                message.stanza(),
                message.time(),
                took,
                steps));
  }

  private static List<Step> steps(
      TraceStore.@Nullable Traced message, List<TraceStore.Step> noted, String language) {
    StepTexts texts = StepTexts.read(language);
    ReasonTexts reasons = ReasonTexts.read(language);
    String sender =
        message == null || message.sender() == null ? null : message.sender().toString();
    String receiver =
        message == null || message.receiver() == null ? null : message.receiver().toString();
    List<Step> steps = new ArrayList<>();
    TraceStore.Step before = null;
    for (TraceStore.Step each : noted) {
      Reason reason = each.reason() == null ? null : Reason.of(each.reason());
      steps.add(
          new Step(
              Instant.EPOCH.plus(each.time(), ChronoUnit.MICROS),
              each.time() - noted.getFirst().time(),
              before == null ? 0 : each.time() - before.time(),
              each.place(),
              texts.place(each.place()),
              each.verdict(),
              reason,
              reason == null
                  ? texts.sentence(each.place(), each.verdict(), sender, receiver, each.detail())
                  : reasons.sentence(reason, sender, receiver, each.detail()),
              node(each.node())));
      before = each;
    }
    return steps;
  }
}
