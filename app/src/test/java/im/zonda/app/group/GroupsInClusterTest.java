package im.zonda.app.group;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import im.zonda.module.group.GroupOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Shared groups whose members have their homes at several nodes.
@Timeout(120)
class GroupsInClusterTest {
  private static final String HOST = "example.org";
  private static final String ROSTER =
      "<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>";

  private TestCluster cluster;

  @SuppressWarnings("NullAway.Init") // set before each test
  GroupsInClusterTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static <I extends Record, R extends Record> void done(
      TestServer server, Operation<I, R> operation, I input) {
    Operations operations =
        new OperationExecutor(
            new OperationExecutor.Parts(
                server.server().catalogue(),
                _ -> {},
                _ -> "",
                InstantSource.system(),
                Runnable::run,
                new Jobs(InstantSource.system(), () -> "job", Runnable::run)));
    assertThat(operations.run(Caller.owner("root"), operation, input))
        .isInstanceOf(Outcome.Done.class);
  }

  /// One account at each node.
  private List<String> people() {
    List<String> people = new ArrayList<>();
    for (Member member : cluster.members()) {
      for (int i = 0; ; i++) {
        String account = "person" + i + "@" + HOST;
        if (cluster.homeOf(account).equals(member)) {
          people.add(account);
          break;
        }
      }
    }
    return people;
  }

  private static boolean isItem(XmlElement each, String jid, String subscription) {
    return each.toString().contains("jid='" + jid + "'")
        && each.toString().contains("subscription='" + subscription + "'");
  }

  private static boolean isPresence(XmlElement each, String from) {
    return each.localName().equals("presence")
        && String.valueOf(each.attribute("from")).startsWith(from + "/");
  }

  @Test
  void aChangeAtOneNodeReachesMembersAtAll() {
    List<String> people = people();
    cluster.accounts(people);
    List<ScriptedClient> clients = new ArrayList<>();
    for (String each : people) {
      ScriptedClient client = cluster.connect(each + "/phone");
      client.send(ROSTER);
      client.receiveFirst(answer -> "r".equals(answer.attribute("id")));
      client.send("<presence/>");
      client.receiveFirst(presence -> isPresence(presence, each));
      clients.add(client);
    }
    TestServer first = cluster.server(cluster.members().getFirst());
    done(
        first,
        GroupOperations.CREATE,
        new GroupOperations.Given(HOST, "house", "House", false, List.of(), false, List.of(), 500));
    GroupOperations.Accounts members =
        new GroupOperations.Accounts(HOST, "house", people.stream().map(Jid::of).toList());
    done(first, GroupOperations.ADD_MEMBER, members);

    for (int i = 0; i < clients.size(); i++) {
      for (String other : people) {
        if (!other.equals(people.get(i))) {
          clients.get(i).receiveFirst(each -> isItem(each, other, "both"));
        }
      }
    }
    // From now on by presence, also that of those who come.
    ScriptedClient late = cluster.connect(people.getLast() + "/tablet");
    late.send(ROSTER);
    assertThat(late.receiveFirst(each -> "r".equals(each.attribute("id"))).toString())
        .contains(people.getFirst(), people.get(1), "House");
    late.send("<presence><status>late</status></presence>");
    for (String other : people.subList(0, 2)) {
      late.receiveFirst(each -> isPresence(each, other));
    }
    for (ScriptedClient each : clients.subList(0, 2)) {
      each.receiveFirst(presence ->
          isPresence(presence, people.getLast()) && presence.toString().contains("late"));
    }
    done(
        cluster.server(cluster.members().getLast()),
        GroupOperations.REMOVE_MEMBER,
        new GroupOperations.Accounts(HOST, "house", List.of(Jid.of(people.getFirst()))));
    clients.get(1).receiveFirst(each -> isItem(each, people.getFirst(), "remove"));
    clients.getFirst().receiveFirst(each -> isItem(each, people.get(1), "remove"));
    clients
        .getFirst()
        .receiveFirst(each ->
            isPresence(each, people.get(1)) && "unavailable".equals(each.attribute("type")));
  }
}
