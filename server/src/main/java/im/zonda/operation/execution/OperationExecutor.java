package im.zonda.operation.execution;

import im.zonda.jid.Jid;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Grant;
import im.zonda.operation.Input;
import im.zonda.operation.InvalidInputException;
import im.zonda.operation.Kind;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Scope;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the operations of a server.
public final class OperationExecutor implements Operations {
  private static final Logger LOG = LoggerFactory.getLogger(OperationExecutor.class);

  /// Runs of operations, by their outcome.
  public static final Meter RUNS =
      Meter.counter(
          "zonda_operations_total", "Operations of administrators", new Label("outcome", words()));

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// What operations need.
  ///
  /// @param catalogue what is offered
  /// @param audit where changes are written
  /// @param json writes plain data for the audit
  /// @param workers run the actions, on virtual threads
  /// @param jobs those that take long
  /// @param others run operations too
  public record Parts(
      Catalogue catalogue,
      AuditTrail audit,
      Function<Map<String, @Nullable Object>, String> json,
      InstantSource clock,
      Executor workers,
      Jobs jobs,
      OtherNodes others) {
    /// Those of a server without a cluster.
    public Parts(
        Catalogue catalogue,
        AuditTrail audit,
        Function<Map<String, @Nullable Object>, String> json,
        InstantSource clock,
        Executor workers,
        Jobs jobs) {
      this(catalogue, audit, json, clock, workers, jobs, OtherNodes.NONE);
    }
  }

  private final Parts parts;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  public OperationExecutor(Parts parts) {
    this.parts = parts;
  }

  @Override
  public Catalogue catalogue() {
    return parts.catalogue;
  }

  @Override
  public List<String> nodes() {
    return parts.others.names();
  }

  /// The jobs.
  public Jobs jobs() {
    return parts.jobs;
  }

  /// How many runs of operations have had each outcome, by `name outcome`.
  public Map<String, Long> counts() {
    Map<String, Long> copy = new LinkedHashMap<>();
    counts.forEach((name, count) -> copy.put(name, count.sum()));
    return copy;
  }

  private static List<String> words() {
    List<String> words = new ArrayList<>(List.of("done", "partly", "started", "following"));
    for (Reason each : Reason.values()) {
      words.add(each.word());
    }
    return words;
  }

  /// The reading of [#RUNS].
  public Reading reading() {
    return RUNS.byEach(() -> {
      Map<String, Long> sums = new LinkedHashMap<>();
      counts()
          .forEach(
              (run, count) -> sums.merge(run.substring(run.indexOf(' ') + 1), count, Long::sum));
      List<Sample> samples = new ArrayList<>();
      sums.forEach((outcome, count) -> samples.add(Sample.of(count, outcome)));
      return samples;
    });
  }

  @Override
  public Outcome<?> run(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    Operation<?, ?> known = find(name);
    if (known == null) {
      return Outcome.notFound("There is no operation " + name + ".");
    }
    if (!mayTry(caller, known)) {
      return refuse(caller, known, null, null);
    }
    try {
      JoinedOutcome.Choice choice = JoinedOutcome.Choice.of(known, given);
      return attempt(caller, known, Input.read(known.input(), choice.given()), choice.node());
    } catch (InvalidInputException e) {
      return new Outcome.Refused<>(
          Reason.INVALID, Objects.requireNonNullElse(e.getMessage(), "Wrong."), e.field());
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the outcome of an operation has its result
  public <I extends Record, R extends Record> Outcome<R> run(
      Caller caller, Operation<I, R> operation, I input) {
    return (Outcome<R>) attempt(caller, operation, input, null);
  }

  @Override
  public boolean allows(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    Operation<?, ?> known = find(name);
    if (known == null) {
      return false;
    }
    try {
      Map<String, @Nullable Object> own = JoinedOutcome.Choice.of(known, given).given();
      String domain = domain(known, Input.read(known.input(), own));
      String host = domain == null ? null : parts.catalogue.hostOf(domain);
      return (domain == null || host != null)
          && caller.grant().allows(known, host)
          && parts.catalogue.find(name, host) != null;
    } catch (InvalidInputException e) {
      return false;
    }
  }

  @Override
  public void later(Runnable task) {
    parts.workers.execute(task);
  }

  private @Nullable Operation<?, ?> find(String name) {
    return parts.catalogue.operations().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /// Whether there is any host at which the caller may run it: others do not learn by errors what
  /// the operation takes.
  private static boolean mayTry(Caller caller, Operation<?, ?> operation) {
    Grant grant = caller.grant();
    if (grant.hosts() == null || operation.scope() == Scope.SERVER) {
      return grant.allows(operation, null);
    }
    return grant.hosts().stream().anyMatch(host -> grant.allows(operation, host));
  }

  private Outcome<?> attempt(
      Caller caller, Operation<?, ?> operation, Record input, @Nullable String node) {
    String domain = domain(operation, input);
    String host = domain == null ? null : parts.catalogue.hostOf(domain);
    // Those who are limited to hosts do not learn which others there are.
    if (!caller.grant().allows(operation, host)) {
      return refuse(caller, operation, input, host);
    }
    if (domain != null && host == null) {
      return Outcome.notFound(domain + " is not a host of this server.");
    }
    Offer<?, ?> offer = parts.catalogue.find(operation.name(), host);
    if (offer == null) {
      return Outcome.notFound(
          "There is no operation " + operation + (host == null ? "." : " at " + host + "."));
    }
    Run run = new Run(caller, operation, input, host);
    String self = parts.others.self();
    if (node == null || node.equals(self)) {
      Outcome<?> outcome = here(offer, run, input);
      return self == null ? outcome : JoinedOutcome.named(self, operation, outcome);
    }
    return node.equals(Operation.ALL_NODES)
        ? everywhere(offer, run, input, self)
        : elsewhere(run, input, node);
  }

  private Outcome<?> here(Offer<?, ?> offer, Run run, Record input) {
    Outcome<?> outcome = act(offer, run, input);
    run.end(outcome);
    return outcome;
  }

  private Outcome<?> elsewhere(Run run, Record input, String node) {
    List<String> names = parts.others.names();
    if (!names.contains(node)) {
      String known =
          names.isEmpty()
              ? "this server is no node of a cluster."
              : "there is " + String.join(", ", names) + ".";
      return Outcome.invalid(Operation.NODE, "There is no node " + node + "; " + known);
    }
    return await(parts.others.run(node, run.caller, run.operation, data(run.operation, input)));
  }

  /// Runs an operation at all nodes at once: none waits for another.
  private Outcome<?> everywhere(Offer<?, ?> offer, Run run, Record input, @Nullable String self) {
    Operation<?, ?> operation = run.operation;
    if (operation.reach() != Operation.Reach.NODES) {
      return Outcome.invalid(Operation.NODE, operation + " is for one node; give its name.");
    }
    if (self == null) {
      return here(offer, run, input);
    }
    Map<String, Future<Outcome<?>>> asked = new LinkedHashMap<>();
    for (String name : parts.others.names()) {
      if (!name.equals(self)) {
        asked.put(name, parts.others.run(name, run.caller, operation, data(operation, input)));
      }
    }
    SortedMap<String, Outcome<?>> outcomes = new TreeMap<>();
    outcomes.put(self, here(offer, run, input));
    asked.forEach((name, outcome) -> outcomes.put(name, await(outcome)));
    return JoinedOutcome.of(operation, outcomes);
  }

  private static Map<String, @Nullable Object> data(Operation<?, ?> operation, Record input) {
    return operation.input().data(input);
  }

  private static Outcome<?> await(Future<Outcome<?>> asked) {
    try {
      return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return Outcome.refused(Reason.TIMEOUT, "The node has not answered.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.refused(Reason.UNAVAILABLE, "The server stops.");
    }
  }

  /// The domain that an input is about; null if it is about the server.
  private static @Nullable String domain(Operation<?, ?> operation, Record input) {
    return switch (operation.scope()) {
      case SERVER -> null;
      case HOST -> (String) operation.input().get(input, Operation.HOST);
      case ADDRESS -> ((Jid) Objects.requireNonNull(operation.input().get(input, 0))).domain();
    };
  }

  private Outcome<?> refuse(
      Caller caller, Operation<?, ?> operation, @Nullable Record input, @Nullable String host) {
    String limited = caller.grant().hosts() == null ? "" : " for this host";
    Outcome<?> refused =
        Outcome.refused(
            Reason.FORBIDDEN,
            "You may not do this: it needs the right %s%s."
                .formatted(
                    operation.right().word() + (operation.kind() == Kind.READ ? "" : " to change"),
                    limited));
    new Run(caller, operation, input, host).end(refused);
    return refused;
  }

  private <I extends Record, R extends Record> Outcome<?> act(
      Offer<I, R> offer, Run run, Record input) {
    @SuppressWarnings("unchecked") // made by the shape of the operation
    I typed = (I) input;
    FutureTask<Outcome<R>> running = new FutureTask<>(() -> offer.action().run(run, typed));
    try {
      parts.workers.execute(running);
      return running.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      running.cancel(true);
      return Outcome.refused(
          Reason.TIMEOUT, "This has not ended in " + PATIENCE.toSeconds() + " seconds.");
    } catch (InterruptedException e) {
      running.cancel(true);
      Thread.currentThread().interrupt();
      return Outcome.refused(Reason.UNAVAILABLE, "The server stops.");
    } catch (RejectedExecutionException e) {
      return Outcome.refused(Reason.UNAVAILABLE, "The server stops.");
    } catch (ExecutionException e) {
      return failed(offer.operation(), Objects.requireNonNull(e.getCause()));
    }
  }

  private static Outcome<?> failed(Operation<?, ?> operation, Throwable cause) {
    LOG.atError().addKeyValue("operation", operation).setCause(cause).log("operation_failed");
    return cause instanceof StoreException
        ? Outcome.refused(
            Reason.UNAVAILABLE, "The database does not answer: " + cause.getMessage() + ".")
        : Outcome.refused(Reason.FAILED, "The server has failed to do this; its log says how.");
  }

  /// One run.
  private final class Run implements Call {
    private final Caller caller;
    private final Operation<?, ?> operation;
    private final @Nullable Record input;
    private final @Nullable String host;
    private final List<Map<String, @Nullable Object>> changes = new ArrayList<>();

    Run(Caller caller, Operation<?, ?> operation, @Nullable Record input, @Nullable String host) {
      this.caller = caller;
      this.operation = operation;
      this.input = input;
      this.host = host;
    }

    @Override
    public Caller caller() {
      return caller;
    }

    @Override
    public void changed(String what, @Nullable String before, @Nullable String after) {
      Map<String, @Nullable Object> change = new LinkedHashMap<>();
      change.put("what", what);
      change.put("before", before);
      change.put("after", after);
      synchronized (changes) {
        changes.add(change);
      }
    }

    @Override
    public <R extends Record> Outcome<R> start(String title, Work work) {
      String job =
          parts.jobs.start(operation.name(), title, caller, progress -> work(work, progress));
      return job == null
          ? Outcome.refused(Reason.TOO_MANY, "Too many jobs are running; wait for one of them.")
          : new Outcome.Started<>(job);
    }

    /// Does work that takes long, and writes to the audit what has become of it.
    private String work(Work work, Progress progress) throws Exception {
      try {
        String text = work.run(progress);
        write("done", text, true);
        return text;
      } catch (InterruptedException e) {
        write("cancelled", null, true);
        throw e;
      } catch (Exception e) {
        write("failed", e.getMessage(), true);
        throw e;
      }
    }

    /// Counts the run, and writes it to the audit if it could have changed something, was about
    /// contents, or was not allowed.
    void end(Outcome<?> outcome) {
      String word = word(outcome);
      counts.computeIfAbsent(operation.name() + " " + word, _ -> new LongAdder()).increment();
      boolean refused =
          outcome instanceof Outcome.Refused<?> refusal && refusal.reason() == Reason.FORBIDDEN;
      if (operation.kind() == Kind.READ && operation.right() != Right.CONTENT && !refused) {
        return;
      }
      // The changes of a job are written when it ends.
      write(
          word,
          outcome instanceof Outcome.Refused<?> refusal ? refusal.text() : null,
          !(outcome instanceof Outcome.Started<?>));
    }

    private void write(String outcome, @Nullable String text, boolean withChanges) {
      try {
        parts.audit.write(
            new AuditTrail.Entry(
                parts.clock.instant(),
                caller,
                operation.name(),
                host,
                input == null ? null : operation.subject(input),
                outcome,
                detail(text, withChanges)));
      } catch (StoreException e) {
        LOG.atError()
            .addKeyValue("operation", operation)
            .addKeyValue("caller", caller.name())
            .setCause(e)
            .log("audit_not_written");
      }
    }

    /// The input without secrets, and the node that has run what is about a node.
    private Map<String, @Nullable Object> shown(Record given) {
      Map<String, @Nullable Object> shown = operation.input().shown(given);
      String self = parts.others.self();
      if (self != null && operation.reach() != Operation.Reach.CLUSTER) {
        shown.put(Operation.NODE, self);
      }
      return shown;
    }

    private String detail(@Nullable String text, boolean withChanges) {
      List<Map<String, @Nullable Object>> made;
      synchronized (changes) {
        made = withChanges ? List.copyOf(changes) : List.of();
      }
      return new AuditDetail(input == null ? null : shown(input), made, text).text(parts.json);
    }
  }

  private static String word(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?> _ -> "done";
      case Outcome.Partly<?> _ -> "partly";
      case Outcome.Started<?> _ -> "started";
      case Outcome.Following<?> _ -> "following";
      case Outcome.Refused<?>(Reason reason, String _, String _) -> reason.word();
    };
  }
}
