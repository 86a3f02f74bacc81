package im.zonda.plugins.webhooks;

import im.zonda.operation.Call;
import im.zonda.operation.Field;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Operations on targets.
final class WebhookOperations {
  private static final Operation<Hosted, Listed> LIST =
      Operation.read("webhooks.list", Right.LINKS)
          .ofNodes()
          .at(
              "GET /hosts/{host}/webhooks",
              "List the targets of webhooks",
              Hosted.class,
              Listed.class);

  private static final Operation<Retry, Retried> RETRY =
      Operation.change("webhooks.retry", Right.LINKS)
          .ofNode()
          .at(
              "POST /hosts/{host}/webhooks/{target}/retry",
              "Send to a target at once what waits after a failure",
              Retry.class,
              Retried.class);

  private static final Operation<Named, Tested> TEST =
      Operation.change("webhooks.test", Right.LINKS)
          .ofNode()
          .at(
              "POST /hosts/{host}/webhooks/{target}/test",
              "Send a test event to a target and say what comes back",
              Named.class,
              Tested.class);

  private final Targets targets;
  private final Surroundings surroundings;
  private final Look look;

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

  /// A host.
  record Hosted(
      @Field(value = "the host whose events they get", form = Field.Form.DOMAIN) String host) {}

  /// A target.
  record Row(
      @Field(Field.NODE) @Nullable String node,
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
  record Named(
      @Field(value = "a host whose events it gets", form = Field.Form.DOMAIN) String host,
      @Field(value = "the name of the target", max = 32) String target) {}

  /// A target, and whether to send what it has rejected.
  record Retry(
      @Field(value = "a host whose events it gets", form = Field.Form.DOMAIN) String host,
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

  WebhookOperations(Targets targets, Surroundings surroundings, Look look) {
    this.targets = targets;
    this.surroundings = surroundings;
    this.look = look;
  }

  List<Offer<?, ?>> offers() {
    return List.of(LIST.by(this::list), RETRY.by(this::retry), TEST.by(this::test));
  }

  private Outcome<Listed> list(Call call, Hosted input) {
    Map<String, Row> rows = new TreeMap<>();
    Map<String, String> problems = targets.problems();
    targets
        .deliveries()
        .forEach((name, delivery) -> {
          if (delivery.target().filter().takes(input.host())) {
            rows.put(name, row(delivery, problems.get(name)));
          }
        });
    problems.forEach((name, problem) ->
        rows.putIfAbsent(
            name,
            new Row(null, name, null, null, 0, 0, null, 0, 0, 0, 0, null, null, null, problem)));
    return Outcome.done(new Listed(new ArrayList<>(rows.values())));
  }

  private static Row row(Delivery delivery, @Nullable String problem) {
    Status status = delivery.status();
    return new Row(
        null,
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
    Delivery delivery = find(input.host(), input.target());
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

  private @Nullable Delivery find(String host, String name) {
    Delivery delivery = targets.deliveries().get(name);
    return delivery == null || !delivery.target().filter().takes(host) ? null : delivery;
  }

  /// Says why there is no such target.
  private <R extends Record> Outcome<R> missing(String name) {
    String problem = targets.problems().get(name);
    return problem == null
        ? Outcome.notFound("There is no target " + name + " for this host.")
        : Outcome.conflict("The file of the target " + name + " is wrong: " + problem);
  }

  private Outcome<Tested> test(Call call, Named input) throws InterruptedException {
    try {
      look.run();
    } catch (IOException e) {
      return Outcome.refused(
          Outcome.Reason.FAILED, "The files of targets cannot be read: " + e.getMessage() + ".");
    }
    Delivery delivery = find(input.host(), input.target());
    if (delivery == null) {
      return missing(input.target());
    }
    Target target = delivery.target();
    Instant now = surroundings.clock().instant();
    byte[] body = Body.test(target.name(), event(input.host(), now));
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

  private static QueuedEvent event(String host, Instant now) {
    JsonObject event =
        new JsonObject()
            .with("id", "test-" + now.toEpochMilli())
            .with("time", EventJson.TIME.format(now))
            .with("host", host)
            .with("kind", "test");
    return new QueuedEvent(now, event.bytes());
  }
}
