package im.zonda.module.testing.operation;

import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Grant;
import im.zonda.operation.Input;
import im.zonda.operation.InvalidInputException;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the operations that the modules of a test's host offer, at once. What the real executor
/// decides is tested with it; here the rights of the caller are asked without the host.
public final class TestOperations implements Operations {
  /// Who owns the server.
  public static final Caller OWNER = Caller.owner("root");

  private final Supplier<List<Offer<?, ?>>> offered;
  private final List<Offer<?, ?>> ofServer = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private final List<String> jobs = new ArrayList<>();

  /// @param offered what modules offer at present
  public TestOperations(Supplier<List<Offer<?, ?>>> offered) {
    this.offered = offered;
  }

  /// What was noted for the audit: `what: before -> after`.
  public List<String> changes() {
    return List.copyOf(changes);
  }

  /// What has become of the jobs.
  public List<String> jobs() {
    return List.copyOf(jobs);
  }

  /// Runs an operation as the owner of the server; its result.
  public <I extends Record, R extends Record> R done(Operation<I, R> operation, I input) {
    Outcome<R> outcome = run(OWNER, operation, input);
    if (outcome instanceof Outcome.Done<R>(R result)) {
      return result;
    }
    throw new AssertionError(operation + ": " + outcome);
  }

  /// The same; why it was refused.
  public <I extends Record, R extends Record> Reason refused(Operation<I, R> operation, I input) {
    Outcome<R> outcome = run(OWNER, operation, input);
    if (outcome instanceof Outcome.Refused<R>(Reason reason, String _, String _)) {
      return reason;
    }
    throw new AssertionError(operation + ": " + outcome);
  }

  @Override
  public List<String> nodes() {
    return List.of();
  }

  @Override
  public Catalogue catalogue() {
    return new Catalogue() {
      @Override
      public List<Operation<?, ?>> operations() {
        return Offer.operations(offers());
      }

      @Override
      public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
        return Offer.find(offers(), name);
      }

      @Override
      public @Nullable String hostOf(String domain) {
        return domain.equals("example.org") || domain.endsWith(".example.org")
            ? "example.org"
            : null;
      }
    };
  }

  /// Offers what a server offers besides its modules.
  public void offer(Offer<?, ?> more) {
    ofServer.add(more);
  }

  private List<Offer<?, ?>> offers() {
    List<Offer<?, ?>> all = new ArrayList<>(ofServer);
    all.addAll(offered.get());
    return all;
  }

  @Override
  public Outcome<?> run(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    Offer<?, ?> offer = catalogue().find(name, null);
    if (offer == null) {
      return Outcome.notFound("no operation " + name);
    }
    try {
      return act(caller, offer, Input.read(offer.operation().input(), given));
    } catch (InvalidInputException e) {
      return new Outcome.Refused<>(
          Reason.INVALID, Objects.requireNonNull(e.getMessage()), e.field());
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the outcome of an operation has its result
  public <I extends Record, R extends Record> Outcome<R> run(
      Caller caller, Operation<I, R> operation, I input) {
    Offer<?, ?> offer = Objects.requireNonNull(catalogue().find(operation.name(), null));
    return (Outcome<R>) act(caller, offer, input);
  }

  @SuppressWarnings("unchecked") // made by the shape of the operation
  private <I extends Record, R extends Record> Outcome<?> act(
      Caller caller, Offer<I, R> offer, Record input) {
    Grant grant = caller.grant();
    String host = grant.hosts() == null ? null : grant.hosts().iterator().next();
    if (!grant.allows(offer.operation(), host)) {
      return Outcome.refused(Reason.FORBIDDEN, "forbidden");
    }
    try {
      return offer.action().run(new Run(caller), (I) input);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public boolean allows(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    return catalogue().find(name, null) != null;
  }

  @Override
  public void later(Runnable task) {
    task.run();
  }

  private final class Run implements Call {
    private final Caller caller;

    Run(Caller caller) {
      this.caller = caller;
    }

    @Override
    public Caller caller() {
      return caller;
    }

    @Override
    public void changed(String what, @Nullable String before, @Nullable String after) {
      changes.add(what + ": " + before + " -> " + after);
    }

    @Override
    public <R extends Record> Outcome<R> start(String title, Work work) {
      try {
        jobs.add(work.run((_, _, _) -> {}));
      } catch (Exception e) {
        jobs.add("failed: " + e.getMessage());
      }
      return new Outcome.Started<>("job-" + jobs.size());
    }
  }
}
