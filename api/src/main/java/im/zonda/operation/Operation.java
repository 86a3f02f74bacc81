package im.zonda.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Act of administration that a server offers. A value; with its action it is an [Offer].
///
/// @param <I> what goes in
/// @param <R> what comes out
/// @param name such as `account.disable`: the words of the command, the node of the ad-hoc command,
///   and the name in the audit
/// @param kind how far it changes something
/// @param scope what it is about
/// @param right which right it needs
/// @param reach which nodes of a cluster it is about
/// @param route where it is found by HTTP
/// @param title what it does, as a sentence without a full stop
/// @param input the components of what goes in
/// @param result the components of what comes out
public record Operation<I extends Record, R extends Record>(
    String name,
    Kind kind,
    Scope scope,
    Right right,
    Reach reach,
    Route route,
    String title,
    Shape input,
    Shape result) {
  /// The component of the input that names a host.
  public static final String HOST = "host";

  /// The parameter that names the node which an operation is about ([#reach]), and the component of
  /// the entries of its lists that says from which node they are.
  public static final String NODE = "node";

  /// The value of [#NODE] for all nodes.
  public static final String ALL_NODES = "all";

  private static final int MOST_NODE = 255;
  private static final Shape.Component ONE_NODE =
      new Shape.Component(
          NODE,
          new Value.Text(MOST_NODE),
          "the name of a node of the cluster, if not the one that is asked",
          false,
          null);
  private static final Shape.Component SOME_NODES =
      new Shape.Component(
          NODE,
          new Value.Text(MOST_NODE),
          "the name of a node of the cluster, if not the one that is asked, or all",
          false,
          null);

  /// @throws IllegalArgumentException if the route, the scope and the input do not fit each other
  public Operation {
    if (!name.matches("[a-z]+(-[a-z]+)*(\\.[a-z]+(-[a-z]+)*)+")) {
      throw new IllegalArgumentException("no name of an operation: " + name);
    }
    for (String variable : route.variables()) {
      if (input.component(variable) == null) {
        throw new IllegalArgumentException(name + " has no component " + variable);
      }
    }
    if (reach != Reach.CLUSTER && input.component(NODE) != null) {
      throw new IllegalArgumentException(name + " has a component node of its own");
    }
    if (reach == Reach.NODES) {
      reach.check(name, result);
    }
    switch (scope) {
      case SERVER -> {}
      case HOST -> {
        Shape.Component host = input.component(HOST);
        if (host == null || !(host.value() instanceof Value.Domain)) {
          throw new IllegalArgumentException(name + " has no component host");
        }
      }
      case ADDRESS -> {
        if (input.components().isEmpty()
            || !(input.components().getFirst().value() instanceof Value.Address)) {
          throw new IllegalArgumentException(name + " does not begin with an address");
        }
      }
    }
  }

  /// What can be given: the components of the input, and [#NODE] if it is about a node.
  public List<Shape.Component> parameters() {
    List<Shape.Component> all = new ArrayList<>(input.components());
    switch (reach) {
      case CLUSTER -> {}
      case NODE -> all.add(ONE_NODE);
      case NODES -> all.add(SOME_NODES);
    }
    return List.copyOf(all);
  }

  /// Begins an operation that changes nothing.
  public static Draft read(String name, Right right) {
    return new Draft(name, Kind.READ, right, Reach.CLUSTER);
  }

  /// Begins an operation that changes something.
  public static Draft change(String name, Right right) {
    return new Draft(name, Kind.CHANGE, right, Reach.CLUSTER);
  }

  /// Begins an operation that removes something permanently.
  public static Draft destroy(String name, Right right) {
    return new Draft(name, Kind.DESTROY, right, Reach.CLUSTER);
  }

  /// Which nodes of a cluster an operation is about. Without a cluster it makes no difference.
  public enum Reach {
    /// The cluster: every node gives the same answer.
    CLUSTER,

    /// The node that [#NODE] names, or else the one that is asked.
    NODE,

    /// The same, or all nodes: their lists are joined, their numbers added, and a flag is true if
    /// it is at one of them.
    NODES;

    /// Checks that the results of several nodes can be joined.
    ///
    /// @throws IllegalArgumentException if one of the components cannot
    void check(String name, Shape result) {
      for (Shape.Component each : result.components()) {
        boolean joins =
            switch (each.value()) {
              case Value.Whole _, Value.Size _, Value.Flag _ -> true;
              case Value.Many(Value.Text _, int _) -> true;
              case Value.Many(Value.Group(Shape row), int _) -> hasNode(row);
              case Value.Many _ -> false;
              case Value.Text _,
                  Value.Lines _,
                  Value.Decimal _,
                  Value.Choice _,
                  Value.Address _,
                  Value.Domain _,
                  Value.Time _,
                  Value.Span _,
                  Value.Hidden _,
                  Value.Group _ ->
                  false;
            };
        if (!joins) {
          throw new IllegalArgumentException(name + " cannot join " + each.name() + " of nodes");
        }
      }
    }

    private static boolean hasNode(Shape row) {
      Shape.Component node = row.component(Operation.NODE);
      return node != null && node.value() instanceof Value.Text && !node.required();
    }
  }

  /// An operation whose rest is not known yet.
  ///
  /// @param name the name
  /// @param kind how far it changes something
  /// @param right which right it needs
  /// @param reach which nodes of a cluster it is about
  public record Draft(String name, Kind kind, Right right, Reach reach) {
    /// The same about one node.
    public Draft ofNode() {
      return new Draft(name, kind, right, Reach.NODE);
    }

    /// The same about one node or all.
    public Draft ofNodes() {
      return new Draft(name, kind, right, Reach.NODES);
    }

    /// Completes the operation. Its scope is [Scope#ADDRESS] if the input begins with an address
    /// that is in the path, [Scope#HOST] if it has a domain `host`, otherwise [Scope#SERVER].
    ///
    /// @param route such as `POST /accounts/{account}/disable`
    public <I extends Record, R extends Record> Operation<I, R> at(
        String route, String title, Class<I> input, Class<R> result) {
      Route where = Route.of(route);
      Shape shape = Shape.of(input);
      return new Operation<>(
          name, kind, scope(where, shape), right, reach, where, title, shape, Shape.of(result));
    }

    private static Scope scope(Route route, Shape input) {
      Shape.Component host = input.component(HOST);
      if (host != null && host.value() instanceof Value.Domain) {
        return Scope.HOST;
      }
      if (input.components().isEmpty()) {
        return Scope.SERVER;
      }
      Shape.Component first = input.components().getFirst();
      return first.value() instanceof Value.Address && route.variables().contains(first.name())
          ? Scope.ADDRESS
          : Scope.SERVER;
    }
  }

  /// Joins it with what it does.
  public Offer<I, R> by(Action<I, R> action) {
    return new Offer<>(this, action);
  }

  /// What an input is about, as a text for the audit: its first component; null if it has none, or
  /// if that is a document.
  public @Nullable String subject(Record given) {
    if (input.components().isEmpty()
        || input.components().getFirst().value() instanceof Value.Lines) {
      return null;
    }
    Object first = input.get(given, 0);
    return first == null || first instanceof Secret ? null : Objects.toString(first);
  }

  @Override
  public String toString() {
    return name;
  }
}
