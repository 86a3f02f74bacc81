package im.zonda.operation.execution;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Field;
import im.zonda.operation.Grant;
import im.zonda.operation.Job;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.Secret;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OperationExecutorTest {
  record Named(
      @Field("the account") Jid account,
      @Field("the password") @Nullable Secret password,
      @Field("what for") @Nullable String reason) {}

  record Said(@Field("a word") String word) {}

  record Hosted(@Field(value = "the host", form = Field.Form.DOMAIN) @Nullable String host) {}

  private static final Operation<Named, Said> DISABLE =
      Operation.change("account.disable", Right.ACCOUNTS)
          .at("POST /accounts/{account}/disable", "Disable an account", Named.class, Said.class);

  private static final Operation<Hosted, Said> LIST =
      Operation.read("account.list", Right.ACCOUNTS)
          .at("GET /accounts", "List accounts", Hosted.class, Said.class);

  private static final Operation<Nothing, Said> STATUS =
      Operation.read("server.status", Right.SERVER)
          .at("GET /status", "Say how the server is", Nothing.class, Said.class);

  private static final Operation<Named, Said> READ =
      Operation.read("message.read", Right.CONTENT)
          .at("GET /accounts/{account}/messages", "Read messages", Named.class, Said.class);

  private static final Caller OWNER = Caller.owner("root");

  private final List<AuditTrail.Entry> audit = new CopyOnWriteArrayList<>();
  private final List<Offer<?, ?>> offers = new ArrayList<>();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

  private final OperationExecutor operations =
      new OperationExecutor(
          new OperationExecutor.Parts(
              new Catalogue() {
                @Override
                public List<Operation<?, ?>> operations() {
                  return Offer.operations(offers);
                }

                @Override
                public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
                  return Offer.find(offers, name);
                }

                @Override
                public @Nullable String hostOf(String domain) {
                  return switch (domain) {
                    case "a.example", "rooms.a.example" -> "a.example";
                    case "b.example" -> "b.example";
                    default -> null;
                  };
                }
              },
              audit::add,
              Object::toString,
              () -> Instant.EPOCH,
              workers,
              new Jobs(() -> Instant.EPOCH, () -> "job", workers)));

  @AfterEach
  void close() {
    workers.close();
  }

  private static Caller hostAdmin(String host) {
    return new Caller(
        "admin@" + host, Caller.Via.ADHOC, null, new Grant(Role.HOST_ADMIN, Set.of(host), null));
  }

  private @Nullable Reason refusal(Caller caller, String name, Map<String, ?> given) {
    return operations.run(caller, name, given) instanceof Outcome.Refused<?> refused
        ? refused.reason()
        : null;
  }

  @Test
  void whatIsAllowedEndsWithTheRightTheHostAndTheOffer() {
    Map<String, ?> ofA = Map.of("host", "a.example");
    assertThat(operations.allows(OWNER, "account.list", ofA)).as("not offered").isFalse();
    offers.add(LIST.by((_, _) -> Outcome.done(new Said("x"))));
    assertThat(operations.allows(OWNER, "account.list", ofA)).isTrue();
    assertThat(operations.allows(hostAdmin("a.example"), "account.list", ofA)).isTrue();
    assertThat(operations.allows(hostAdmin("b.example"), "account.list", ofA)).isFalse();
    assertThat(operations.allows(OWNER, "account.list", Map.of("host", "gone.example"))).isFalse();
    assertThat(operations.allows(OWNER, "account.list", Map.of("other", "x"))).isFalse();
    Caller auditor = new Caller("x", Caller.Via.API, null, new Grant(Role.AUDITOR, null, null));
    assertThat(operations.allows(auditor, "account.list", ofA)).isFalse();
    offers.clear();
    assertThat(operations.allows(OWNER, "account.list", ofA)).as("withdrawn").isFalse();
    assertThat(audit).isEmpty();
  }

  @Test
  void aChangeIsDoneAndWrittenWithoutSecrets() {
    offers.add(
        DISABLE.by((call, input) -> {
          call.changed("disabled", "false", "true");
          return Outcome.done(new Said(input.account().toString()));
        }));
    assertThat(
            operations.run(
                OWNER,
                "account.disable",
                Map.of("account", "Alice@a.example", "password", "s3cret", "reason", "gone")))
        .isEqualTo(Outcome.done(new Said("alice@a.example")));
    assertThat(audit)
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.operation()).isEqualTo("account.disable");
          assertThat(entry.host()).isEqualTo("a.example");
          assertThat(entry.subject()).isEqualTo("alice@a.example");
          assertThat(entry.outcome()).isEqualTo("done");
          assertThat(entry.detail())
              .contains("gone", "disabled", "(secret)")
              .doesNotContain("s3cret");
        });
  }

  @Test
  void whatOnlyReadsIsNotWrittenUnlessItIsRefusedOrAboutContents() {
    offers.add(STATUS.by((_, _) -> Outcome.done(new Said("well"))));
    offers.add(READ.by((_, _) -> Outcome.done(new Said("hello"))));
    operations.run(OWNER, STATUS, Nothing.NOTHING);
    assertThat(audit).isEmpty();
    assertThat(refusal(hostAdmin("a.example"), "server.status", Map.of()))
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(audit).hasSize(1);
    assertThat(refusal(OWNER, "message.read", Map.of("account", "alice@a.example")))
        .as("no role has the contents of messages")
        .isEqualTo(Reason.FORBIDDEN);
    Caller reader =
        new Caller(
            "t", Caller.Via.API, null, new Grant(Role.SERVER_ADMIN, null, Set.of(Right.CONTENT)));
    assertThat(refusal(reader, "message.read", Map.of("account", "alice@a.example"))).isNull();
    assertThat(audit).hasSize(3);
  }

  @Test
  void anAdministratorOfAHostHasTheOperationsOfThatHostAlone() {
    offers.add(DISABLE.by((_, _) -> Outcome.done(new Said("x"))));
    offers.add(LIST.by((_, _) -> Outcome.done(new Said("x"))));
    Caller admin = hostAdmin("a.example");
    assertThat(refusal(admin, "account.disable", Map.of("account", "x@a.example"))).isNull();
    assertThat(refusal(admin, "account.disable", Map.of("account", "x@rooms.a.example"))).isNull();
    assertThat(refusal(admin, "account.disable", Map.of("account", "x@b.example")))
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(admin, "account.disable", Map.of("account", "x@nowhere.example")))
        .as("which hosts there are is not said")
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(admin, "account.list", Map.of("host", "a.example"))).isNull();
    assertThat(refusal(admin, "account.list", Map.of()))
        .as("all hosts")
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(OWNER, "account.list", Map.of())).isNull();
    assertThat(refusal(OWNER, "account.list", Map.of("host", "nowhere.example")))
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void someoneWhoMayNotRunItDoesNotLearnWhatItTakes() {
    offers.add(DISABLE.by((_, _) -> Outcome.done(new Said("x"))));
    Caller reader = new Caller("r", Caller.Via.API, null, new Grant(Role.READ_ONLY, null, null));
    assertThat(refusal(reader, "account.disable", Map.of())).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal(OWNER, "account.disable", Map.of())).isEqualTo(Reason.INVALID);
    assertThat(refusal(OWNER, "account.enable", Map.of())).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void aFailureOfTheMachineIsARefusal() {
    offers.add(
        DISABLE.by((_, input) -> {
          if (input.reason() == null) {
            throw new IllegalStateException("a defect");
          }
          throw new StoreException(StoreException.Category.UNAVAILABLE, "no disk", null);
        }));
    assertThat(refusal(OWNER, "account.disable", Map.of("account", "x@a.example")))
        .isEqualTo(Reason.FAILED);
    assertThat(refusal(OWNER, "account.disable", Map.of("account", "x@a.example", "reason", "y")))
        .isEqualTo(Reason.UNAVAILABLE);
    assertThat(audit).hasSize(2);
    assertThat(operations.counts())
        .containsEntry("account.disable failed", 1L)
        .containsEntry("account.disable unavailable", 1L);
  }

  @Test
  void whatTakesLongIsAJob() throws Exception {
    offers.add(
        DISABLE.by((call, _) ->
            call.start(
                "Do something",
                progress -> {
                  progress.at(1, 2, "accounts");
                  return "Did one of two.";
                })));
    assertThat(operations.run(OWNER, "account.disable", Map.of("account", "x@a.example")))
        .isEqualTo(new Outcome.Started<>("job"));
    Job job = Objects.requireNonNull(operations.jobs().await("job", 60_000));
    assertThat(job.state()).isEqualTo(Job.State.DONE);
    assertThat(job.text()).isEqualTo("Did one of two.");
    assertThat(job.done()).isEqualTo(1);
    assertThat(audit).extracting("outcome").containsExactlyInAnyOrder("started", "done");
    assertThat(operations.jobs().cancel("job")).isFalse();
  }

  @Test
  void whatAJobHasChangedIsWrittenWhenItEnds() throws Exception {
    offers.add(
        DISABLE.by((call, _) ->
            call.start(
                "Do something",
                _ -> {
                  call.changed("messages", "2", "0");
                  return "Did two.";
                })));
    operations.run(OWNER, "account.disable", Map.of("account", "x@a.example"));
    assertThat(operations.jobs().await("job", 60_000)).isNotNull();
    assertThat(audit).extracting("outcome").containsExactlyInAnyOrder("started", "done");
    assertThat(audit)
        .filteredOn(each -> each.outcome().equals("done"))
        .singleElement()
        .satisfies(each -> assertThat(each.detail()).contains("messages", "Did two."));
    assertThat(audit)
        .filteredOn(each -> each.outcome().equals("started"))
        .noneMatch(each -> each.detail().contains("messages"));
  }

  @Test
  void whyAJobHasFailedIsWritten() throws Exception {
    offers.add(
        DISABLE.by((call, _) ->
            call.start(
                "Do something",
                _ -> {
                  throw new IllegalStateException("no disk");
                })));
    operations.run(OWNER, "account.disable", Map.of("account", "x@a.example"));
    assertThat(operations.jobs().await("job", 60_000)).isNotNull();
    assertThat(audit)
        .filteredOn(each -> each.outcome().equals("failed"))
        .singleElement()
        .satisfies(each -> assertThat(each.detail()).contains("no disk"));
  }
}
