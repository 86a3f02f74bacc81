package im.zonda.plugins.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.operation.Action;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Input;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.plugin.PluginEvent;
import im.zonda.stanza.Message;
import im.zonda.testkit.database.Eventually;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhooksTest {
  private static final String SECRET = "open-sesame-0123456789";
  private static final Instant TIME = Instant.parse("2026-11-29T05:00:00.123Z");

  @TempDir Path folder;
  private TestPluginContext context;
  private TestService service;
  private @Nullable Webhooks plugin;

  @BeforeEach
  void start() throws Exception {
    context = new TestPluginContext(folder);
    context.settings.put("secret", SECRET);
    service = TestService.start();
  }

  @AfterEach
  void stop() {
    if (plugin != null) {
      plugin.stop();
    }
    service.close();
  }

  private void startPlugin() throws Exception {
    Webhooks started = new Webhooks();
    plugin = started;
    started.start(context);
  }

  private void file(String name, String... lines) throws Exception {
    Files.createDirectories(folder.resolve("targets"));
    Files.writeString(folder.resolve("targets/" + name), String.join("\n", lines));
  }

  private String url(TestService to) {
    return "url = \"" + to.url() + "\"\nbatch-delay = \"0ms\"\nretry-delay = \"100ms\"";
  }

  private static PluginEvent said(String host, String body) {
    return new PluginEvent.MessageSent(
        host,
        TIME,
        Message.of(
            Message.Type.CHAT,
            Jid.of("juliet@" + host + "/balcony"),
            Jid.of("romeo@example.net"),
            "m1",
            List.of(Element.text(new QName("jabber:client", "body"), body))));
  }

  private static PluginEvent started(String host) {
    return new PluginEvent.SessionStarted(host, TIME, Jid.of("juliet@" + host + "/balcony"));
  }

  private void awaitEvents(TestService at, int count) {
    Eventually.await(count + " events arrive", () -> at.events().size() >= count);
  }

  private long counter(String name) {
    return Objects.requireNonNull(context.counters.get(name)).get();
  }

  private long gauge(String name) {
    return Objects.requireNonNull(context.gauges.get(name)).getAsLong();
  }

  private Outcome<?> run(String name, Map<String, ?> given) throws Exception {
    Offer<?, ?> offer = context.offers.get(name);
    assertThat(offer).as(name).isNotNull();
    return run(Objects.requireNonNull(offer), given);
  }

  @SuppressWarnings("unchecked") // what the shape makes is what the action takes
  private static <I extends Record, R extends Record> Outcome<R> run(
      Offer<I, R> offer, Map<String, ?> given) throws Exception {
    Action<I, R> action = offer.action();
    return action.run(new TestCall(), (I) Input.read(offer.operation().input(), given));
  }

  private static <R extends Record> R done(Outcome<?> outcome, Class<R> type) {
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return type.cast(((Outcome.Done<?>) outcome).result());
  }

  @Test
  void targetsGetTheKindsHostsAndContentsThatTheyMay() throws Exception {
    context.settings.put("a.example/contents", "text");
    try (TestService other = TestService.start()) {
      file("all.toml", url(service), "kinds = [\"all\"]", "contents = \"stanza\"");
      file(
          "some.toml",
          url(other),
          "kinds = [\"sessions\"]",
          "hosts = [\"b.example\"]",
          "secret-file = \"some.key\"");
      Files.writeString(folder.resolve("targets/some.key"), "another-key-of-some\n");
      startPlugin();
      context.happen(started("a.example"));
      context.happen(said("a.example", "Good night"));
      context.happen(started("b.example"));
      context.happen(said("b.example", "Farewell"));
      awaitEvents(service, 4);
      awaitEvents(other, 1);
      List<Map<String, Object>> all = service.events();
      assertThat(all)
          .extracting(each -> each.get("kind"))
          .containsExactly("session-started", "message-sent", "session-started", "message-sent");
      assertThat(all.get(1).get("body")).isEqualTo("Good night");
      assertThat(all.get(1).containsKey("xml")).isFalse();
      assertThat(all.get(3).containsKey("body")).isFalse();
      assertThat(service.received)
          .extracting(TestService.Received::body)
          .noneMatch(each -> each.contains("Farewell"));
      assertThat(other.events()).hasSize(1);
      assertThat(other.events().getFirst()).isEqualTo(all.get(2));
      assertThat(all).extracting(each -> each.get("id")).doesNotHaveDuplicates();
    }
  }

  @Test
  void filesAreReadAgainAndABadOneChangesNothing() throws Exception {
    file("orders.toml", url(service), "kinds = [\"sessions\"]");
    startPlugin();
    file("orders.toml", url(service), "kinds = [\"session\"]");
    context.runTimers();
    assertThat(context.log.lines).noneMatch(each -> each.startsWith("WARN"));
    context.runTimers();
    context.runTimers();
    assertThat(context.log.lines)
        .filteredOn(each -> each.startsWith("WARN"))
        .singleElement()
        .asString()
        .contains("orders: kinds: there is no kind session");
    context.happen(started("a.example"));
    awaitEvents(service, 1);
    file("orders.toml", url(service), "kinds = [\"presence\"]");
    context.runTimers();
    context.happen(started("a.example"));
    assertThat(list().targets().getFirst().problem()).isNull();
    try (TestService other = TestService.start()) {
      file("orders.toml", url(other), "kinds = [\"sessions\"]");
      context.runTimers();
      context.happen(started("a.example"));
      awaitEvents(other, 1);
      Files.delete(folder.resolve("targets/orders.toml"));
      context.runTimers();
      assertThat(list().targets()).isEmpty();
      context.happen(started("a.example"));
      assertThat(other.events()).hasSize(1);
    }
    assertThat(service.events()).hasSize(1);
  }

  private WebhookOperations.Listed list() throws Exception {
    return done(run("webhooks.list", Map.of("host", "a.example")), WebhookOperations.Listed.class);
  }

  @Test
  void operationsSayWhatTargetsDo() throws Exception {
    service.answers(TestService.status(400), TestService.status(200), TestService.status(500));
    file("orders.toml", url(service), "kinds = [\"sessions\"]");
    file("wrong.toml", "url = \"ftp://example.org/\"");
    startPlugin();
    context.happen(started("a.example"));
    Eventually.await("it is rejected", () -> list().targets().getFirst().rejected() == 1);
    WebhookOperations.Row orders = list().targets().getFirst();
    assertThat(orders.target()).isEqualTo("orders");
    assertThat(orders.url()).isEqualTo("http://localhost:" + service.port());
    assertThat(orders.error()).contains("400");
    assertThat(orders.queued()).isZero();
    assertThat(list().targets().get(1).problem()).startsWith("url must be of the form");
    assertThat(gauge("rejected_kept")).isOne();

    WebhookOperations.Retried retried =
        done(
            run(
                "webhooks.retry",
                Map.of("host", "a.example", "target", "orders", "rejected", true)),
            WebhookOperations.Retried.class);
    assertThat(retried.rejected()).isOne();
    Eventually.await("it is accepted", () -> list().targets().getFirst().sent() == 1);

    WebhookOperations.Tested failed =
        done(
            run("webhooks.test", Map.of("host", "a.example", "target", "orders")),
            WebhookOperations.Tested.class);
    assertThat(failed.accepted()).isFalse();
    assertThat(failed.answer()).isEqualTo("The target has failed (status 500).");
    WebhookOperations.Tested tested =
        done(
            run("webhooks.test", Map.of("host", "a.example", "target", "orders")),
            WebhookOperations.Tested.class);
    assertThat(tested.accepted()).isTrue();
    assertThat(service.events().getLast().get("kind")).isEqualTo("test");
    assertThat(service.events().getLast().get("host")).isEqualTo("a.example");
    assertThat(run("webhooks.test", Map.of("host", "a.example", "target", "nobody")))
        .isEqualTo(Outcome.notFound("There is no target nobody for this host."));
    assertThat(run("webhooks.retry", Map.of("host", "a.example", "target", "wrong")))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(counter("sent")).isOne();
    assertThat(counter("rejected")).isOne();
  }

  @Test
  void secretsAndContentsAreNowhereButInRequests() throws Exception {
    context.settings.put("contents", "stanza");
    service.answers(
        TestService.status(500),
        TestService.status(302, "Location", service.url()),
        TestService.status(400));
    file(
        "orders.toml",
        url(service),
        "kinds = [\"all\"]",
        "contents = \"text\"",
        "secret-file = \"key\"");
    file("bad.toml", url(service).replace("http:", "ftp:"), "kinds = [\"all\"]");
    file("short.toml", url(service), "kinds = [\"all\"]", "secret-file = \"short\"");
    Files.writeString(folder.resolve("targets/key"), SECRET);
    Files.writeString(folder.resolve("targets/short"), "SESAME");
    startPlugin();
    context.happen(said("a.example", "SESAME"));
    Eventually.await("it is rejected", () -> list().targets().get(1).rejected() == 1);
    List<String> shown = new ArrayList<>(context.log.lines);
    shown.addAll(context.reports);
    shown.add(list().toString());
    shown.add(run("webhooks.test", Map.of("host", "a.example", "target", "orders")).toString());
    assertThat(shown).hasSizeGreaterThan(3).noneMatch(each -> each.contains("SESAME"));
    assertThat(shown).noneMatch(each -> each.contains(SECRET));
    assertThat(service.received)
        .extracting(TestService.Received::body)
        .noneMatch(each -> each.contains(SECRET));
    try (Stream<Path> all = Files.walk(folder.resolve("queue"))) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(each, java.nio.charset.StandardCharsets.ISO_8859_1))
            .doesNotContain(SECRET);
      }
    }
  }

  @Test
  void lossesAreReportedOnceAMinute() throws Exception {
    file("orders.toml", url(service), "kinds = [\"sessions\"]");
    startPlugin();
    Path away = folder.resolve("away");
    Files.move(folder.resolve("queue"), away);
    context.happen(started("a.example"));
    Eventually.await("it is lost", () -> list().targets().getFirst().lost() == 1);
    context.runTimers();
    context.happen(started("a.example"));
    Eventually.await("it is lost", () -> list().targets().getFirst().lost() == 2);
    context.runTimers();
    assertThat(context.log.lines)
        .filteredOn(each -> each.startsWith("WARN"))
        .containsExactly("WARN Target orders loses 1 events. The queue cannot be written.");
    assertThat(context.reports)
        .containsExactlyInAnyOrder(
            "a.example: The webhook target orders loses events: The queue cannot be written.",
            "b.example: The webhook target orders loses events: The queue cannot be written.");
    assertThat(counter("lost")).isEqualTo(2);
    Files.move(away, folder.resolve("queue"));
  }

  /// A run of an operation by the owner of the server.
  private static final class TestCall implements Call {
    @Override
    public Caller caller() {
      return Caller.owner("test");
    }

    @Override
    public void changed(String what, @Nullable String before, @Nullable String after) {}

    @Override
    public <R extends Record> Outcome<R> start(String title, Work work) {
      throw new UnsupportedOperationException("operations of webhooks begin no jobs");
    }
  }
}
