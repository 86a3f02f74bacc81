package im.zonda.host.plugin;

import im.zonda.host.plugin.guard.Held;
import im.zonda.host.plugin.guard.PluginCallException;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.operation.Action;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Operations of a plugin, as administrators run them.
final class OperationCalls {
  /// An operation that takes longer is a job.
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Duration LONGEST_JOB = Duration.ofDays(1);

  private OperationCalls() {}

  /// The same operation, carried out on threads of the plugin.
  static <I extends Record, R extends Record> Offer<I, R> guarded(
      PluginGuard guard, Offer<I, R> offer) {
    Held<Action<I, R>> held = guard.hold(offer.action());
    String name = offer.operation().name();
    return new Offer<>(
        offer.operation(),
        (call, input) -> {
          PluginGuard.Call<Action<I, R>, Outcome<R>> run =
              action -> action.run(new GuardedCall(guard, name, call), input);
          return run(guard, name, LIMIT, held, run);
        });
  }

  private static <H, T> T run(
      PluginGuard guard, String name, Duration limit, Held<H> held, PluginGuard.Call<H, T> run)
      throws InterruptedException {
    try {
      T outcome = guard.callLong(held, name, limit, InterruptedException.class, run);
      if (outcome == null) {
        throw new IllegalStateException(name + " has no outcome");
      }
      return outcome;
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // PluginCallException
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /// A call whose long work runs on threads of the plugin.
  private record GuardedCall(PluginGuard guard, String name, Call call) implements Call {
    @Override
    public Caller caller() {
      return call.caller();
    }

    @Override
    public void changed(String what, @Nullable String before, @Nullable String after) {
      call.changed(what, before, after);
    }

    /// What a plugin throws is its answer, without its classes.
    private static String worked(Work work, Progress progress)
        throws PluginCallException, InterruptedException {
      try {
        return work.run(progress);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new PluginCallException(PluginGuard.text(e));
      }
    }

    @Override
    public <R extends Record> Outcome<R> start(String title, Work work) {
      Held<Work> held = guard.hold(work);
      return call.start(
          title,
          progress -> {
            try {
              String text =
                  guard.callLong(
                      held,
                      name,
                      LONGEST_JOB,
                      PluginCallException.class,
                      given -> worked(given, progress));
              return text == null ? "Done." : text;
            } finally {
              guard.release(held);
            }
          });
    }
  }
}
