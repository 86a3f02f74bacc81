package im.zonda.app.admin;

import static im.zonda.app.admin.AdminSteps.field;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.Administration;
import im.zonda.module.admin.operation.AccountLists;
import im.zonda.module.admin.operation.SessionOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An administrator runs commands at one node of a cluster for accounts at all of them.
@Timeout(60)
class AdministrationInClusterTest {
  private TestCluster cluster;
  private AdminSteps admin;
  private final List<String> accounts = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  AdministrationInClusterTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create)
                .with(
                    "services.administration",
                    Administration.DEFAULTS.withAdmins(List.of("bard@example.org"))),
            3);
    Set<Object> homes = new HashSet<>();
    for (int i = 0; homes.size() < 3; i++) {
      String account = "user" + i + "@example.org";
      if (homes.add(cluster.homeOf(account))) {
        accounts.add(account);
      }
    }
    admin = new AdminSteps(cluster.connect("bard@example.org/globe"), "example.org");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void sessionsEndAtEveryNode() {
    List<ScriptedClient> clients =
        accounts.stream().map(each -> cluster.connect(each + "/x")).toList();
    assertThat(admin.number("get-online-users-num")).isEqualTo("4");
    admin.run("disable-user", field("accountjids", accounts.toArray(String[]::new)));
    clients.forEach(each -> assertThat(each.awaitStreamError()).isEqualTo("not-authorized"));
    assertThat(admin.number("get-disabled-users-num")).isEqualTo("3");
    assertThat(admin.number("get-online-users-num")).isEqualTo("1");
    admin.run("reenable-user", field("accountjids", accounts.toArray(String[]::new)));
    accounts.forEach(each -> cluster.connect(each + "/x").fence("back"));
  }

  @Test
  void onlineAccountsOfAllNodesAreListedByPages() {
    accounts.forEach(each -> cluster.connect(each + "/x"));
    List<String> all = new ArrayList<>(accounts);
    all.add("bard@example.org");
    Collections.sort(all);
    for (Member member : cluster.members()) {
      Operations operations =
          new OperationExecutor(
              new OperationExecutor.Parts(
                  cluster.server(member).server().catalogue(),
                  _ -> {},
                  _ -> "",
                  InstantSource.system(),
                  Runnable::run,
                  new Jobs(InstantSource.system(), () -> "job", Runnable::run)));
      assertThat(walk(operations, AccountLists.LIST)).isEqualTo(all);
      assertThat(walk(operations, SessionOperations.LIST)).isEqualTo(all);
    }
  }

  /// Where the pages of one account each end, and the last account.
  private static List<String> walk(Operations operations, Operation<?, ?> list) {
    List<String> accounts = new ArrayList<>();
    Object after = null;
    do {
      Map<String, Object> given = new HashMap<>(Map.of("host", "example.org", "limit", 1));
      if (list.input().component("state") != null) {
        given.put("state", "online");
      }
      if (after != null) {
        given.put("after", after);
      }
      Outcome<?> outcome = operations.run(Caller.owner("root"), list.name(), given);
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      Map<String, ?> page = list.result().data(((Outcome.Done<?>) outcome).result());
      assertThat(page.get("complete")).isEqualTo(true);
      Object row = ((List<?>) Objects.requireNonNull(page.values().iterator().next())).getFirst();
      accounts.add(String.valueOf(row instanceof Map<?, ?> session ? session.get("account") : row));
      after = page.get("next");
    } while (after != null);
    return accounts;
  }

  @Test
  void everyNodeLearnsOfTheMessageOfTheDay() {
    for (String account : accounts) {
      cluster.connect(account + "/x").disconnect();
    }
    admin.run("set-motd", field("motd", "Tea at five."));
    for (String account : accounts) {
      // The other nodes are notified and read it at a time of their own.
      ScriptedClient client = cluster.connect(account + "/y");
      boolean got = false;
      while (!got) {
        client.send("<presence/>");
        client.fence("a");
        while (client.unread() > 0) {
          got |= "Tea at five.".equals(client.receive().childText("body"));
        }
        client.send("<presence type='unavailable'/>");
        client.fence("b");
      }
    }
  }
}
