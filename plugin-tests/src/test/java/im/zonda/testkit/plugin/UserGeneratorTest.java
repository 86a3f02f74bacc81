package im.zonda.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.plugins.generator.UserGenerator;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The plugin user-generator in a server.
@Timeout(120)
class UserGeneratorTest {
  private static final int COUNT = 400;

  private PluginServer server;

  @BeforeEach
  void start() throws IOException {
    server = PluginServer.start(UserGenerator.class);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Stores stores() {
    return server.server().stores();
  }

  private Outcome<?> run(String operation, Map<String, ?> input) {
    Map<String, Object> all = new HashMap<>(input);
    all.put("host", PluginServer.HOST);
    return server
        .server()
        .operations()
        .run(Caller.owner("test"), "user-generator." + operation, all);
  }

  private void create(String run) {
    Outcome<?> outcome =
        run(
            "create",
            Map.of(
                "run",
                run,
                "count",
                COUNT,
                "password",
                "generated",
                "contacts",
                10,
                "vcards",
                true));
    assertThat(outcome).isInstanceOf(Outcome.Started.class);
    Eventually.await(
        "all are created", () -> run("list", Map.of()).toString().contains("state=COMPLETE"));
  }

  private void remove(String run) {
    assertThat(run("remove", Map.of("run", run))).isInstanceOf(Outcome.Started.class);
    Eventually.await("all are removed", () -> run("list", Map.of()).toString().contains("runs=[]"));
  }

  private List<Jid> accounts() {
    return stores().accounts().list(PluginServer.HOST, null, 1_000);
  }

  @Test
  void whoIsCreatedLogsInAndWhoWasThereStaysAsTheyAre() {
    create("first");
    List<Jid> all = accounts();
    assertThat(all).hasSize(COUNT);
    assertThat(run("list", Map.of()).toString()).contains("run=first", "done=400", "count=400");
    remove("first");
    assertThat(accounts()).isEmpty();

    Jid person = all.getFirst();
    Eventually.await(
        "the address is free",
        () ->
            stores()
                .accounts()
                .create(List.of(new Account(person, List.of(), Instant.EPOCH)))
                .isEmpty());
    create("second");
    assertThat(accounts()).isEqualTo(all);
    for (Jid each : all) {
      RosterStore.Roster roster = stores().rosters().load(each);
      assertThat(roster.items())
          .hasSizeLessThanOrEqualTo(10)
          .noneMatch(item -> item.jid().equals(person));
      for (RosterItem item : roster.items()) {
        assertThat(stores().rosters().subscription(item.jid(), each)).isEqualTo(Subscription.BOTH);
      }
    }
    assertThat(Objects.requireNonNull(stores().accounts().find(person)).keys()).isEmpty();
    assertThat(stores().rosters().load(person).items()).isEmpty();
    try (ScriptedClient client =
        server.server().login(Login.of(all.getLast() + "/desk", "generated"))) {
      client.send("<iq type='get' id='v'><vCard xmlns='vcard-temp'/></iq>");
      assertThat(client.receiveFirst(e -> "v".equals(e.attribute("id"))).toString())
          .contains("TITLE", "example.");
    }
    remove("second");
    assertThat(accounts()).containsExactly(person);
  }

  @Test
  void whatCannotBeIsRefused() {
    Map<String, Object> wanted =
        Map.of("run", "load", "count", 10, "password", "generated", "contacts", 3);
    for (Map.Entry<String, ?> wrong :
        Map.of(
                "run",
                "Load!",
                "count",
                0,
                "contacts",
                1_001,
                "prefix",
                "a@b",
                "groups",
                List.of(""))
            .entrySet()) {
      Map<String, Object> input = new HashMap<>(wanted);
      input.put(wrong.getKey(), wrong.getValue());
      assertThat(run("create", input))
          .as(wrong.toString())
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.INVALID));
    }
    assertThat(run("create", Map.of("count", 10)).toString()).contains("Give a password");
    assertThat(run("remove", Map.of("run", "load"))).isInstanceOf(Outcome.Refused.class);
    assertThat(accounts()).isEmpty();
    create("load");
    assertThat(run("create", wanted).toString()).contains("other parameters");
    assertThat(accounts()).hasSize(COUNT);
  }
}
