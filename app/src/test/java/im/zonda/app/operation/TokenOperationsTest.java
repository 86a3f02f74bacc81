package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.jid.Jid;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AuditStore;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tokens of programs, and the record of what was done, at two nodes with one store.
class TokenOperationsTest {
  private static final Caller OWNER = Caller.owner("root");

  private final FakeClock clock = new FakeClock(Instant.parse("2026-11-28T14:03:00Z"));
  private TestServer server;
  private ServerOperations here;
  private ApiTokens elsewhere;

  @SuppressWarnings("NullAway.Init") // set before each test
  TokenOperationsTest() {}

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create).withHosts("a.example", "b.example").startInMemory();
    ServerRuntime runtime =
        new ServerRuntime(clock, clock, () -> "id", new SecureRandom(), Runnable::run);
    here = ServerOperations.over(server.server(), server.stores(), runtime);
    elsewhere = new ApiTokens(server.stores()::keyValues, clock, new SecureRandom());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Outcome<?> create(Caller caller, String name, Object... more) {
    Map<String, Object> input = new HashMap<>(Map.of("name", name, "role", "read-only"));
    for (int i = 0; i < more.length; i += 2) {
      input.put((String) more[i], more[i + 1]);
    }
    return here.operations().run(caller, "token.create", input);
  }

  private static @Nullable Reason refusal(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> refused ? refused.reason() : null;
  }

  private static Caller with(Grant grant) {
    return new Caller("someone", Caller.Via.ADHOC, null, grant);
  }

  private TokenOperations.Shown shown(String name) {
    Outcome<?> listed = here.operations().run(OWNER, "token.list", Map.of("limit", 500));
    return ((TokenOperations.Listed) ((Outcome.Done<?>) listed).result())
        .tokens().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aTokenIsShownOnceAndItsHashIsKept() {
    Outcome<?> created = create(OWNER, "grafana", "hosts", List.of("a.example"), "validFor", "30d");
    TokenOperations.Created token = (TokenOperations.Created) ((Outcome.Done<?>) created).result();
    assertThat(token.token().text()).matches("zonda_[A-Za-z0-9_-]{43}");
    assertThat(token.expires()).isEqualTo(clock.instant().plus(Duration.ofDays(30)));
    TokenOperations.Shown shown = shown("grafana");
    assertThat(shown.hosts()).containsExactly("a.example");
    assertThat(shown.rights()).isEmpty();
    assertThat(shown.createdBy()).isEqualTo("root");
    assertThat(shown.used()).isNull();
    assertThat(
            server.stores().keyValues("tokens").all(Jid.of(null, "zonda.invalid", null)).values())
        .hasSize(1)
        .allSatisfy(bytes ->
            assertThat(new String(bytes, StandardCharsets.UTF_8))
                .contains("\"hash\":\"")
                .doesNotContain(token.token().text().substring(6)));
    for (AuditStore.Recorded each : server.stores().audit().find(AuditStore.Query.newest(10))) {
      assertThat(each.event().toString()).doesNotContain(token.token().text());
    }
  }

  @Test
  void aTokenIsKnownAtAllNodesAndGoneAtAllOfThem() {
    assertThat(elsewhere.all()).isEmpty();
    assertThat(refusal(create(OWNER, "one"))).isNull();
    clock.advance(Duration.ofSeconds(1));
    assertThat(elsewhere.named("one")).isNotNull();
    assertThat(
            here.operations().run(OWNER, TokenOperations.REVOKE, new TokenOperations.Chosen("one")))
        .isEqualTo(Nothing.done());
    clock.advance(Duration.ofSeconds(1));
    assertThat(elsewhere.named("one")).isNull();
    assertThat(here.operations().run(OWNER, "token.revoke", Map.of("token", "one")))
        .isEqualTo(Outcome.notFound("There is no token one."));
  }

  @Test
  void noOneGivesWhatTheyDoNotHave() {
    Caller token = new Caller("t", Caller.Via.API, null, Grant.ALL);
    assertThat(refusal(create(token, "more"))).as("a token").isEqualTo(Reason.FORBIDDEN);
    Caller narrow = with(new Grant(Role.SERVER_ADMIN, null, Set.of(Right.TOKENS, Right.ROOMS)));
    assertThat(refusal(create(narrow, "a", "rights", List.of("rooms")))).isNull();
    assertThat(refusal(create(narrow, "b", "rights", List.of("accounts"))))
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(create(narrow, "c"))).isEqualTo(Reason.FORBIDDEN);
    Caller admin = with(Grant.ALL);
    assertThat(refusal(create(admin, "d", "rights", List.of("content"))))
        .as("no role has contents")
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(create(OWNER, "e", "rights", List.of("content")))).isNull();
    assertThat(here.tokens().all()).extracting("name").containsExactly("a", "e");
  }

  @Test
  void whatIsWrongIsSaid() {
    for (String name : List.of("", ".x", "a b", "a\"b", "a/b", "ä", "-x", "x".repeat(65))) {
      assertThat(refusal(create(OWNER, name))).as(name).isEqualTo(Reason.INVALID);
    }
    for (String time : List.of("0s", "366d", "for ever")) {
      assertThat(refusal(create(OWNER, "x", "validFor", time))).as(time).isEqualTo(Reason.INVALID);
    }
    assertThat(refusal(create(OWNER, "x", "hosts", List.of("c.example"))))
        .isEqualTo(Reason.INVALID);
    assertThat(refusal(create(OWNER, "x", "role", "host-admin"))).isEqualTo(Reason.INVALID);
    assertThat(refusal(create(OWNER, "x", "role", "host-admin", "hosts", List.of("a.example"))))
        .isNull();
    assertThat(refusal(create(OWNER, "x"))).as("again").isEqualTo(Reason.CONFLICT);
  }

  @Test
  void thereAreAtMostFiveHundred() {
    Instant later = clock.instant().plus(Duration.ofDays(1));
    for (int i = 0; i < ApiTokens.MOST; i++) {
      assertThat(elsewhere.create("t" + i, Grant.ALL, "test", later)).isNotNull();
    }
    assertThat(elsewhere.create("more", Grant.ALL, "test", later)).isNull();
    assertThat(elsewhere.revoke("t7")).isTrue();
    assertThat(elsewhere.create("more", Grant.ALL, "test", later)).isNotNull();
  }

  @Test
  void tokensAreListedByPages() {
    for (int i = 0; i < 5; i++) {
      assertThat(refusal(create(OWNER, "t" + i))).isNull();
    }
    List<String> names = new ArrayList<>();
    String after = null;
    do {
      Outcome<TokenOperations.Listed> page =
          here.operations().run(OWNER, TokenOperations.LIST, new TokenOperations.Page(after, 2));
      TokenOperations.Listed listed = ((Outcome.Done<TokenOperations.Listed>) page).result();
      listed.tokens().forEach(each -> names.add(each.name()));
      after = listed.next();
    } while (after != null);
    assertThat(names).containsExactly("t0", "t1", "t2", "t3", "t4");
  }

  @Test
  void whatIsOldIsErasedOnceADay() {
    assertThat(refusal(create(OWNER, "short", "validFor", "1d"))).isNull();
    assertThat(refusal(create(OWNER, "long", "validFor", "365d"))).isNull();
    assertThat(server.stores().audit().count()).isEqualTo(2);
    PeriodicTask task = here.eraseOld(server::config, ClusterView.NONE);
    clock.advance(Duration.ofDays(30));
    assertThat(here.tokens().all()).extracting("name").containsExactly("long", "short");
    clock.advance(Duration.ofDays(3));
    assertThat(here.tokens().all()).extracting("name").containsExactly("long");
    assertThat(server.stores().audit().count()).isEqualTo(2);
    clock.advance(Duration.ofDays(334));
    assertThat(server.stores().audit().count()).isZero();
    task.cancel();
  }

  @Test
  void whatWasDoneIsListedAndExported() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(refusal(create(OWNER, "t" + i))).isNull();
      clock.advance(Duration.ofMinutes(1));
    }
    Caller auditor = with(new Grant(Role.AUDITOR, null, null));
    assertThat(refusal(create(auditor, "t9"))).isEqualTo(Reason.FORBIDDEN);
    Outcome<?> first =
        here.operations()
            .run(auditor, "audit.list", Map.of("operation", "token", "caller", "root", "limit", 2));
    AuditOperations.Listed page = (AuditOperations.Listed) ((Outcome.Done<?>) first).result();
    assertThat(page.events()).extracting("subject").containsExactly("t2", "t1");
    assertThat(page.events())
        .allSatisfy(each -> {
          assertThat(each.via()).isEqualTo("socket");
          assertThat(each.outcome()).isEqualTo("done");
        });
    Outcome<?> second =
        here.operations()
            .run(auditor, "audit.list", Map.of("caller", "root", "limit", 2, "after", page.next()));
    assertThat(((AuditOperations.Listed) ((Outcome.Done<?>) second).result()).events())
        .extracting("subject")
        .containsExactly("t0");
    Outcome<?> exported =
        here.operations().run(auditor, "audit.export", Map.of("since", "2026-11-28T14:04:00Z"));
    List<String> outcomes = new ArrayList<>();
    ((Outcome.Following<?>) exported)
        .feed()
        .follow(each -> outcomes.add(((AuditOperations.Event) each).outcome()));
    assertThat(outcomes).containsExactly("forbidden", "done", "done");
  }
}
