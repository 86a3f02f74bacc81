package im.zonda.plugins.webhooks;

import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What administrators can do about targets.
final class WebhookOperations {
  private static final Operation<Nothing, Listed> LIST =
      Operation.read("webhooks.list", Right.SERVER)
          .at("GET /webhooks", "Lists the targets of webhooks", Nothing.class, Listed.class);

  private static final Operation<Retry, Retried> RETRY =
      Operation.change("webhooks.retry", Right.SERVER)
          .at(
              "POST /webhooks/{target}/retry",
              "Sends to a target at once what waits after a failure",
              Retry.class,
              Retried.class);

  private static final Operation<Named, Tested> TEST =
      Operation.change("webhooks.test", Right.SERVER)
          .at(
              "POST /webhooks/{target}/test",
              "Sends a test event to a target and says what comes back",
              Named.class,
              Tested.class);

  private final Targets targets;
  private final Surroundings surroundings;
  private final Look look;
  private final Supplier<Set<String>> hosts;

  /// Reads the files of the targets again.
  @FunctionalInterface
  interface Look {
    void run() throws IOException;
  }

  /// The targets.
  record Listed(@Field("the targets by name") List<Row> targets) {
    /// Copies the list.
    Listed {
      targets = List.copyOf(targets);
    }
  }

  /// A target.
  record Row(
      @Field("its name") String target,
      @Field("where events are sent, without the path") @Nullable String url,
      @Field("whether it is idle, sending, or waiting after a failure") @Nullable String state,
      @Field("events on the disk that were not accepted") long queued,
      @Field(value = "bytes on the disk", form = Field.Form.BYTES) long bytes,
      @Field("when the oldest event that is being sent happened") @Nullable Instant oldest,
      @Field("events that were accepted since the plugin was started") long sent,
      @Field("rejected events that are kept") long rejected,
      @Field("events that are not delivered, since the plugin was started") long lost,
      @Field("attempts that have failed since the plugin was started") long failures,
      @Field("why the last of them has failed") @Nullable String error,
      @Field("when the last of them has failed") @Nullable Instant failed,
      @Field("when it is tried again") @Nullable Instant next,
      @Field("what is wrong with its file") @Nullable String problem) {}

  /// A target.
  record Named(@Field(value = "the name of the target", max = 32) String target) {}

  /// A target, and whether to send what it has rejected.
  record Retry(
      @Field(value = "the name of the target", max = 32) String target,
      @Field("whether to send again what it has rejected") boolean rejected) {}

  /// What is sent again.
  record Retried(
      @Field("events that wait") long queued,
      @Field("rejected events among them that wait again") long rejected) {}

  /// What came back.
  record Tested(
      @Field("whether the target has accepted the event") boolean accepted,
      @Field("what came back") String answer,
      @Field("how long it took") Duration time) {}

  /// @param hosts the domains of the hosts
  WebhookOperations(
      Targets targets, Surroundings surroundings, Look look, Supplier<Set<String>> hosts) {
    this.targets = targets;
    this.surroundings = surroundings;
    this.look = look;
    this.hosts = hosts;
  }

  List<Offer<?, ?>> offers() {
    return List.of(LIST.by(this::list), RETRY.by(this::retry), TEST.by(this::test));
  }

  private Outcome<Listed> list(Call call, Nothing nothing) {
    Map<String, Row> rows = new TreeMap<>();
    Map<String, String> problems = targets.problems();
    targets
        .deliveries()
        .forEach((name, delivery) -> rows.put(name, row(delivery, problems.get(name))));
    problems.forEach((name, problem) ->
        rows.putIfAbsent(
            name, new Row(name, null, null, 0, 0, null, 0, 0, 0, 0, null, null, null, problem)));
    return Outcome.done(new Listed(new ArrayList<>(rows.values())));
  }

  private static Row row(Delivery delivery, @Nullable String problem) {
    Status status = delivery.status();
    return new Row(
        delivery.target().name(),
        Targets.origin(delivery.target()),
        status.state().word(),
        status.queued(),
        status.bytes(),
        status.oldest(),
        status.sent(),
        status.rejected(),
        status.lost(),
        status.failures(),
        status.error(),
        status.errorTime(),
        status.next(),
        problem);
  }

  private Outcome<Retried> retry(Call call, Retry input) throws InterruptedException {
    Delivery delivery = targets.deliveries().get(input.target());
    if (delivery == null) {
      return missing(input.target());
    }
    try {
      long again = input.rejected() ? delivery.retryRejected() : 0;
      delivery.wake();
      return Outcome.done(new Retried(delivery.status().queued(), again));
    } catch (IOException e) {
      return Outcome.refused(
          Outcome.Reason.FAILED, "Rejected events cannot be read: " + e.getMessage() + ".");
    }
  }

  /// Says why there is no such target.
  private <R extends Record> Outcome<R> missing(String name) {
    String problem = targets.problems().get(name);
    return problem == null
        ? Outcome.notFound("There is no target " + name + ".")
        : Outcome.conflict("The file of the target " + name + " is wrong: " + problem);
  }

  private Outcome<Tested> test(Call call, Named input) throws InterruptedException {
    try {
      look.run();
    } catch (IOException e) {
      return Outcome.refused(
          Outcome.Reason.FAILED, "The files of targets cannot be read: " + e.getMessage() + ".");
    }
    Delivery delivery = targets.deliveries().get(input.target());
    if (delivery == null) {
      return missing(input.target());
    }
    Target target = delivery.target();
    Instant now = surroundings.clock().instant();
    byte[] body = Body.test(target.name(), event(target, now));
    long begun = System.nanoTime();
    try (Receiver receiver = new Receiver(target, surroundings.version(), surroundings.clock())) {
      Answer answer = receiver.post(body);
      Duration time = Duration.ofMillis((System.nanoTime() - begun) / 1_000_000);
      boolean isAccepted = answer instanceof Answer.Accepted;
      if (isAccepted) {
        delivery.wake();
      }
      return Outcome.done(new Tested(isAccepted, answer.text(), time));
    } catch (IOException e) {
      return Outcome.refused(Outcome.Reason.FAILED, e.getMessage() + ".");
    }
  }

  private QueuedEvent event(Target target, Instant now) {
    Set<String> all = target.filter().hosts().isEmpty() ? hosts.get() : target.filter().hosts();
    JsonObject event =
        new JsonObject()
            .with("id", "test-" + now.toEpochMilli())
            .with("time", now.toString())
            .with("host", all.stream().sorted().findFirst().orElse(null))
            .with("kind", "test");
    return new QueuedEvent(now, event.bytes());
  }
}
