package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.module.export.ExportOperations;
import im.zonda.module.export.ExportOperations.Forgotten;
import im.zonda.module.export.ExportOperations.Others;
import im.zonda.module.export.RoomArchives.Written;
import im.zonda.module.muc.admin.RoomOperations;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Caller;
import im.zonda.operation.Job;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A person is forgotten by a server that runs, with all modules.
@Timeout(60)
class ForgottenPersonTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid GARDEN = Jid.of("garden@rooms.example.org");
  private static final Caller OWNER = Caller.owner("root");

  private final List<AuditTrail.Entry> audit = new CopyOnWriteArrayList<>();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Jobs jobs = new Jobs(() -> Instant.EPOCH, () -> "job", workers);

  @SuppressWarnings("NullAway.Init") // started before each test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // started before each test
  private OperationExecutor operations;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    server.accounts(List.of(ROMEO.toString(), JULIET.toString()));
    operations =
        new OperationExecutor(
            new OperationExecutor.Parts(
                server.server().catalogue(),
                audit::add,
                JsonText::of,
                () -> Instant.EPOCH,
                workers,
                jobs));
  }

  @AfterEach
  void stop() {
    server.close();
    workers.close();
  }

  private <I extends Record, R extends Record> R done(Operation<I, R> operation, I input) {
    Outcome<R> outcome = operations.run(OWNER, operation, input);
    if (outcome instanceof Outcome.Done<R>(R result)) {
      return result;
    }
    throw new AssertionError(outcome);
  }

  private ScriptedClient enter(Jid user, String nick) {
    ScriptedClient client = server.connect(user + "/x");
    client.send("<presence/>");
    client.send(
        "<presence to='"
            + GARDEN
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(e -> e.toString().contains("110"));
    return client;
  }

  private String archive(Jid owner) {
    return server
        .stores()
        .archive()
        .page(
            owner,
            MessageArchive.Filter.ALL,
            new MessageArchive.Portion(false, 100, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(MessageLog.Entry::message)
        .toList()
        .toString();
  }

  @Test
  void whatOthersHaveIsErasedAndTheAuditSaysHowMuch() throws Exception {
    var created =
        done(
            RoomOperations.CREATE,
            new RoomOperations.Draft(GARDEN, JULIET, "The garden", false, true));
    assertThat(created).isNotNull();
    ScriptedClient juliet = enter(JULIET, "J");
    ScriptedClient romeo = enter(ROMEO, "Montague");
    romeo.send("<message type='groupchat' to='" + GARDEN + "'><body>In the room</body></message>");
    juliet.receiveFirst(e -> "In the room".equals(e.childText("body")));
    romeo.send("<message type='chat' to='" + JULIET + "'><body>To her alone</body></message>");
    juliet.receiveFirst(e -> "To her alone".equals(e.childText("body")));
    var affiliated =
        done(
            RoomOperations.AFFILIATE,
            new RoomOperations.Given(GARDEN, ROMEO, Affiliation.MEMBER, null));
    assertThat(affiliated).isNotNull();
    assertThat(
            done(RoomOperations.OCCUPANTS, new RoomOperations.Portion(GARDEN, null, 9)).occupants())
        .extracting("nick")
        .containsExactly("J", "Montague");

    Outcome<?> outcome =
        operations.run(
            OWNER,
            ExportOperations.FORGET,
            new Forgotten(ROMEO, Written.ERASE, Others.ERASE, true, false));
    assertThat(outcome).isInstanceOf(Outcome.Started.class);
    Job job = Objects.requireNonNull(jobs.await("job", 50_000));
    assertThat(job.state()).as(String.valueOf(job.text())).isEqualTo(Job.State.DONE);
    assertThat(job.text()).contains("1 messages in rooms", "1 messages to others");
    assertThat(archive(GARDEN)).contains("retracted").doesNotContain("In the room", "Montague");
    assertThat(archive(JULIET)).contains("retracted").doesNotContain("To her alone");
    assertThat(server.stores().accounts().find(ROMEO)).isNull();
    assertThat(audit)
        .filteredOn(each -> each.operation().equals("account.forget"))
        .extracting(AuditTrail.Entry::outcome)
        .containsExactlyInAnyOrder("started", "done");
    assertThat(audit.getLast().detail()).contains("messages in rooms", "rooms that it belonged to");
    romeo.disconnect();
  }
}
