package im.zonda.operation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.Replication;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.runtime.ServerRuntime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Operations at other nodes, with messages that arrive at once, or not at all.
@Timeout(30)
class NodeCallsTest {
  private static final Caller OWNER = Caller.owner("root");

  /// A row of a list.
  record Row(@Field(Field.NODE) @Nullable String node, @Field("a text") String text) {}

  /// A list.
  record Rows(
      @Field("how many") int count,
      @Field("whether one is odd") boolean odd,
      @Field("texts") List<String> texts,
      @Field("rows") List<Row> rows) {}

  /// All kinds of values.
  record Everything(
      @Field("a text") String text,
      @Field(value = "lines", form = Form.LINES) String lines,
      @Field("a small number") int small,
      @Field("a large number") @Nullable Long large,
      @Field(value = "a size", form = Form.BYTES) long size,
      @Field("a fraction") double fraction,
      @Field("a word") Reason word,
      @Field("an address") Jid address,
      @Field("a time") Instant time,
      @Field("a length of time") Duration span,
      @Field("nothing") @Nullable String none) {}

  /// About a host.
  record AtHost(@Field(value = "the host", form = Form.DOMAIN) String host) {}

  private static final Operation<Nothing, Rows> LIST =
      Operation.read("row.list", Right.SERVER)
          .ofNodes()
          .at("GET /rows", "List rows", Nothing.class, Rows.class);
  private static final Operation<Nothing, Everything> SHOW =
      Operation.read("row.show", Right.SERVER)
          .ofNode()
          .at("GET /row", "Show", Nothing.class, Everything.class);
  private static final Operation<AtHost, Nothing> TOUCH =
      Operation.change("row.touch", Right.ACCOUNTS)
          .ofNode()
          .at("POST /hosts/{host}/touch", "Touch", AtHost.class, Nothing.class);
  private static final Operation<Nothing, Nothing> WORK =
      Operation.change("row.work", Right.SERVER)
          .ofNode()
          .at("POST /row/work", "Work", Nothing.class, Nothing.class);
  private static final Operation<Nothing, Nothing> SHARED =
      Operation.read("row.shared", Right.SERVER)
          .at("GET /shared", "Show what all share", Nothing.class, Nothing.class);

  private static final Everything EVERYTHING =
      new Everything(
          "a\nb\u0007" + "x".repeat(5_000),
          "1\n2",
          -7,
          1L << 40,
          1L << 50,
          0.1,
          Reason.CONFLICT,
          Jid.of("a@own.example/x"),
          Instant.EPOCH,
          Duration.ofSeconds(90),
          null);

  private final Map<String, TestNode> processes = new LinkedHashMap<>();
  private final Set<String> silent = new TreeSet<>();
  private final List<Runnable> timers = new ArrayList<>();
  private String text = "text";

  /// A node.
  private final class TestNode implements ClusterView, NodeMessage.Sender {
    private final Member member;
    private final NodeCalls calls;
    private final OperationExecutor operations;
    private final List<String> audit = new ArrayList<>();
    private final List<NodeMessage> sent = new ArrayList<>();

    TestNode(String name) {
      member = new Member(name, 1);
      Nodes nodes = new Nodes(this, StanzaForwarder.NONE, Replication.NONE, this, local -> local);
      ServerRuntime runtime =
          new ServerRuntime(
              InstantSource.fixed(Instant.EPOCH),
              timers(),
              () -> "id",
              new Random(1),
              Runnable::run);
      calls = new NodeCalls(nodes, runtime);
      operations =
          new OperationExecutor(
              new OperationExecutor.Parts(
                  catalogue(offers(name)),
                  entry ->
                      audit.add(entry.operation() + " " + entry.outcome() + " " + entry.detail()),
                  String::valueOf,
                  runtime.clock(),
                  Runnable::run,
                  new Jobs(runtime.clock(), () -> "job1", _ -> {}),
                  calls));
      calls.answerBy(operations);
    }

    @Override
    public boolean isHere(Jid home) {
      return true;
    }

    @Override
    public @Nullable Member homeOf(Jid home) {
      return member;
    }

    @Override
    public Member self() {
      return member;
    }

    @Override
    public Set<Member> members() {
      Set<Member> all = new HashSet<>();
      processes.values().forEach(each -> all.add(each.member));
      return all;
    }

    @Override
    public void post(Member to, NodeMessage value) {
      sent.add(value);
      TestNode receiver = processes.get(to.name());
      if (receiver != null && !silent.contains(to.name()) && !silent.contains(member.name())) {
        receiver.calls.receive(member, value);
      }
    }

    @Override
    public void postToOthers(NodeMessage value) {
      throw new AssertionError("nothing is for all");
    }
  }

  NodeCallsTest() {
    for (String name : List.of("a", "b", "c")) {
      processes.put(name, new TestNode(name));
    }
  }

  private Scheduler timers() {
    return (_, task) -> {
      timers.add(task);
      return () -> timers.remove(task);
    };
  }

  private List<Offer<?, ?>> offers(String name) {
    return List.of(
        LIST.by((_, _) ->
            Outcome.done(
                new Rows(2, name.equals("b"), List.of("t"), List.of(new Row(null, text))))),
        SHOW.by((_, _) -> Outcome.done(EVERYTHING)),
        TOUCH.by((call, _) -> {
          call.changed("touched", null, name);
          return Nothing.done();
        }),
        WORK.by((call, _) -> call.start("Work", _ -> "done")),
        SHARED.by((_, _) -> Nothing.done()));
  }

  private static Catalogue catalogue(List<Offer<?, ?>> offers) {
    return new Catalogue() {
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
        return domain.equals("own.example") || domain.equals("other.example") ? domain : null;
      }
    };
  }

  private TestNode process(String name) {
    return Objects.requireNonNull(processes.get(name));
  }

  private Outcome<?> run(Caller caller, String operation, Map<String, Object> given) {
    return process("a").operations.run(caller, operation, given);
  }

  private Outcome<?> list(String node) {
    return run(OWNER, "row.list", Map.of("node", node));
  }

  @Test
  void oneNodeAnswersForItself() {
    assertThat(list("b"))
        .isEqualTo(Outcome.done(new Rows(2, true, List.of("t"), List.of(new Row("b", "text")))));
    assertThat(list("")).isEqualTo(list("a"));
  }

  @Test
  void listsOfAllNodesAreJoined() {
    assertThat(list("all"))
        .isEqualTo(
            Outcome.done(
                new Rows(
                    6,
                    true,
                    List.of("a: t", "b: t", "c: t"),
                    List.of(new Row("a", "text"), new Row("b", "text"), new Row("c", "text")))));
  }

  @Test
  void everyKindOfValueCrosses() {
    assertThat(run(OWNER, "row.show", Map.of("node", "c"))).isEqualTo(Outcome.done(EVERYTHING));
  }

  @Test
  void aNodeThatDoesNotAnswerIsNamed() {
    silent.add("b");
    var _ = process("a").calls.run("b", OWNER, LIST, Map.of());
    var lost = process("a").calls.run("b", OWNER, LIST, Map.of());
    assertThat(process("a").calls.waiting()).isEqualTo(2);
    List.copyOf(timers).forEach(Runnable::run);
    assertThat(lost.join())
        .isEqualTo(
            Outcome.refused(Reason.TIMEOUT, "The node b has not answered within 5 seconds."));
    assertThat(process("a").calls.waiting()).isZero();
    // It is not waited for again at once, unless it says something.
    assertThat(process("a").calls.run("b", OWNER, LIST, Map.of())).isCompleted();
    process("a").calls.receive(process("b").member, new NodeMessage.ProbeAnswered(1));
    assertThat(process("a").calls.run("b", OWNER, LIST, Map.of())).isNotDone();
  }

  @Test
  void aNodeThatLeavesIsNotWaitedFor() {
    silent.add("b");
    var lost = process("a").calls.run("b", OWNER, LIST, Map.of());
    process("a").calls.placed(Set.of(process("a").member, process("c").member));
    assertThat(lost.join())
        .isEqualTo(Outcome.refused(Reason.UNAVAILABLE, "The node b has left the cluster."));
  }

  @Test
  void whatANodeRefusesIsNamedBesideTheRest() {
    processes.remove("c");
    text = "x".repeat(NodeCalls.MOST_BYTES);
    assertThat(list("all")).isInstanceOf(Outcome.Partly.class);
    assertThat(((Outcome.Partly<?>) list("all")).failures())
        .containsExactly(
            new Outcome.Failure("b", "The answer is too large; ask for less, or the node itself."));
  }

  @Test
  void thereMustBeSuchANode() {
    assertThat(list("d"))
        .isEqualTo(Outcome.invalid("node", "There is no node d; there is a, b, c."));
    assertThat(run(OWNER, "row.show", Map.of("node", "all")))
        .isEqualTo(Outcome.invalid("node", "row.show is for one node; give its name."));
    assertThat(run(OWNER, "row.shared", Map.of("node", "b"))).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aGrantIsNotWidened() {
    Caller limited =
        new Caller(
            "admin@own.example",
            Caller.Via.API,
            "192.0.2.1",
            new Grant(Role.HOST_ADMIN, Set.of("own.example"), Set.of(Right.ACCOUNTS)));
    Map<String, Object> other = Map.of("host", "other.example", "node", "b");
    assertThat(((Outcome.Refused<?>) run(limited, "row.touch", other)).reason())
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(((Outcome.Refused<?>) run(limited, "row.list", Map.of("node", "all"))).reason())
        .isEqualTo(Reason.FORBIDDEN);
    // The other node decides again, whatever the one that asks has thought.
    assertThat(
            ((Outcome.Refused<?>)
                    process("a")
                        .calls
                        .run("b", limited, TOUCH, new HashMap<>(Map.of("host", "other.example")))
                        .join())
                .reason())
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(run(limited, "row.touch", Map.of("host", "own.example", "node", "b")))
        .isEqualTo(Nothing.done());
  }

  @Test
  void theNodeThatRunsItWritesTheAudit() {
    assertThat(run(OWNER, "row.touch", Map.of("host", "own.example", "node", "b")))
        .isEqualTo(Nothing.done());
    assertThat(process("a").audit).isEmpty();
    assertThat(process("b").audit).hasSize(1);
    assertThat(process("b").audit.getFirst())
        .contains("row.touch done", "node=b", "host=own.example");
  }

  @Test
  void aJobOfAnotherNodeIsNamedWithIt() {
    assertThat(run(OWNER, "row.work", Map.of("node", "b")))
        .isEqualTo(new Outcome.Started<>("job1@b"));
  }

  // ---- attack

  private static StanzaBytes bytes(String text) {
    return new StanzaBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /// What a node answers to a call of another one.
  private String answer(String call) {
    process("a").calls.receive(process("b").member, new NodeMessage.OperationAsked(1, bytes(call)));
    return ((NodeMessage.OperationAnswered) process("a").sent.getLast()).outcome().text();
  }

  @Test
  void callsThatAreNoneAreRefused() {
    String all = CallText.of(OWNER, LIST, Map.of());
    assertThat(answer(all)).contains("\"done\"");
    assertThat(answer(all.replace("row.list", "row.none"))).contains("no such operation");
    assertThat(answer(CallText.of(OWNER, SHARED, Map.of()))).contains("no such operation");
    for (String bad :
        List.of(
            "",
            "[]",
            "{}",
            all.replace("server-admin", "emperor"),
            all.replace("\"hosts\":null", "\"hosts\":\"own.example\""),
            all.replace("\"rights\":null", "\"rights\":[\"all\"]"),
            all.replace("\"input\":{}", "\"input\":[]"),
            "x".repeat(NodeCalls.MOST_BYTES + 1))) {
      assertThat(answer(bad)).as(bad.substring(0, Math.min(bad.length(), 200))).contains("failed");
    }
  }

  @Test
  void answersThatAreNoneAreRefused() {
    silent.add("b");
    for (String bad :
        List.of(
            "",
            "{}",
            "{\"outcome\":\"done\"}",
            "{\"outcome\":\"done\",\"result\":{\"count\":\"x\"}}",
            "{\"outcome\":\"done\",\"result\":{\"count\":1e99,\"rows\":[1]}}",
            "{\"outcome\":\"refused\",\"reason\":\"mood\",\"text\":\"\"}",
            "[".repeat(10_000),
            "x".repeat(NodeCalls.MOST_BYTES + 1))) {
      var asked = process("a").calls.run("b", OWNER, LIST, Map.of());
      long question = ((NodeMessage.OperationAsked) process("a").sent.getLast()).question();
      NodeMessage answer = new NodeMessage.OperationAnswered(question, bytes(bad));
      process("a").calls.receive(process("c").member, answer); // it was not asked
      assertThat(asked).isNotDone();
      process("a").calls.receive(process("b").member, answer);
      assertThat(((Outcome.Refused<?>) asked.join()).reason()).isEqualTo(Reason.UNAVAILABLE);
    }
    // An answer to nobody's question.
    process("a")
        .calls
        .receive(process("b").member, new NodeMessage.OperationAnswered(10_000, bytes("{}")));
    assertThat(process("a").calls.waiting()).isZero();
  }

  @Test
  void questionsAreBounded() {
    silent.add("b");
    for (int i = 0; i < NodeCalls.MOST_ASKED; i++) {
      var _ = process("a").calls.run("b", OWNER, LIST, Map.of());
    }
    assertThat(((Outcome.Refused<?>) list("b")).reason()).isEqualTo(Reason.TOO_MANY);
    assertThat(list("c")).isInstanceOf(Outcome.Refused.class);
  }
}
