package im.zonda.operation.execution;

import im.zonda.operation.Field;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The outcomes of an operation at several nodes as one ([Operation.Reach#NODES]).
final class JoinedOutcome {
  private JoinedOutcome() {}

  /// The outcome of a node with its name in the entries of its lists.
  static Outcome<?> named(String node, Operation<?, ?> operation, Outcome<?> outcome) {
    if (!(outcome instanceof Outcome.Done<?>(Record result))) {
      return outcome;
    }
    return switch (operation.reach()) {
      case CLUSTER -> outcome;
      case NODE -> {
        Shape.Component own = operation.result().component(Operation.NODE);
        yield own != null && own.about().equals(Field.NODE)
            ? Outcome.done(operation.result().with(result, Operation.NODE, node))
            : outcome;
      }
      case NODES -> Outcome.done(join(operation.result(), Map.of(node, result), false));
    };
  }

  /// The outcome of all nodes. What a node has not done is a failure with its name; if no node has
  /// done it, and all for one reason, that is the outcome.
  static Outcome<?> of(Operation<?, ?> operation, Map<String, Outcome<?>> outcomes) {
    Map<String, Record> results = new LinkedHashMap<>();
    List<Outcome.Failure> failures = new ArrayList<>();
    outcomes.forEach((node, outcome) -> {
      switch (outcome) {
        case Outcome.Done<?>(Record result) -> results.put(node, result);
        case Outcome.Partly<?>(Record result, List<Outcome.Failure> some) -> {
          results.put(node, result);
          failures.addAll(some);
        }
        case Outcome.Refused<?> refused -> failures.add(new Outcome.Failure(node, refused.text()));
        case Outcome.Started<?>(String job) ->
            failures.add(new Outcome.Failure(node, "It goes on there as the job " + job + "."));
        case Outcome.Following<?> _ ->
            failures.add(new Outcome.Failure(node, "It can be followed at that node only."));
      }
    });
    if (results.isEmpty()) {
      return refused(outcomes, failures);
    }
    Record joined = join(operation.result(), results, true);
    return failures.isEmpty() ? Outcome.done(joined) : new Outcome.Partly<>(joined, failures);
  }

  private static Outcome<?> refused(
      Map<String, Outcome<?>> outcomes, List<Outcome.Failure> failures) {
    Outcome<?> first = outcomes.values().iterator().next();
    boolean same = failures.stream().map(Outcome.Failure::reason).distinct().count() == 1;
    return same && first instanceof Outcome.Refused<?>
        ? first
        : Outcome.refused(
            Outcome.Reason.UNAVAILABLE,
            String.join(
                " ",
                failures.stream().map(each -> each.subject() + ": " + each.reason()).toList()));
  }

  private static Record join(Shape shape, Map<String, Record> results, boolean several) {
    Record joined = results.values().iterator().next();
    for (int i = 0; i < shape.components().size(); i++) {
      Shape.Component component = shape.components().get(i);
      List<Object> values = new ArrayList<>();
      boolean numbers = false;
      for (Map.Entry<String, Record> each : results.entrySet()) {
        Object value = shape.get(each.getValue(), i);
        if (value instanceof List<?> list) {
          list.forEach(one ->
              values.add(
                  named(component.value(), each.getKey(), Objects.requireNonNull(one), several)));
        } else if (value != null) {
          numbers = true;
          values.add(value);
        }
      }
      if (component.value() instanceof Value.Many) {
        joined = shape.with(joined, component.name(), values);
      } else if (numbers) {
        joined = shape.with(joined, component.name(), sum(values));
      }
    }
    return joined;
  }

  /// An entry with the name of its node.
  private static Object named(Value kind, String node, Object entry, boolean several) {
    if (kind instanceof Value.Many(Value.Group(Shape row), int _)) {
      return row.with((Record) entry, Operation.NODE, node);
    }
    return several ? node + ": " + entry : entry;
  }

  /// What numbers are together, or whether one of several flags is true.
  private static Object sum(List<Object> values) {
    Object first = values.getFirst();
    if (first instanceof Boolean) {
      return values.contains(true);
    }
    long sum = 0;
    for (Object each : values) {
      sum += ((Number) each).longValue();
    }
    return first instanceof Integer ? (Object) Math.toIntExact(sum) : sum;
  }

  /// What was given without the choice of a node, and that choice.
  ///
  /// @param node the name; null for the node that is asked
  /// @param given the rest
  record Choice(@Nullable String node, Map<String, @Nullable Object> given) {
    /// What names the job of another node: its identifier there, this character, and the node.
    static final char AT = '@';

    private static final String JOB = "job";

    /// Reads the choice.
    static Choice of(Operation<?, ?> operation, Map<String, ? extends @Nullable Object> given) {
      Map<String, @Nullable Object> rest = new LinkedHashMap<>(given);
      if (operation.reach() == Operation.Reach.CLUSTER) {
        return new Choice(null, rest);
      }
      Object node = rest.remove(Operation.NODE);
      if (rest.get(JOB) instanceof String job && job.indexOf(AT) > 0) {
        rest.put(JOB, job.substring(0, job.indexOf(AT)));
        return new Choice(job.substring(job.indexOf(AT) + 1), rest);
      }
      String name = Objects.toString(node, "");
      return new Choice(name.isEmpty() ? null : name, rest);
    }
  }
}
