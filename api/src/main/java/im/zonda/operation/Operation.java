package im.zonda.operation;

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
/// @param route where it is found by HTTP
/// @param title what it does, as a sentence without a full stop
/// @param input the components of what goes in
/// @param result the components of what comes out
public record Operation<I extends Record, R extends Record>(
    String name,
    Kind kind,
    Scope scope,
    Right right,
    Route route,
    String title,
    Shape input,
    Shape result) {
  /// The component of the input that names a host.
  public static final String HOST = "host";

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

  /// Begins an operation that changes nothing.
  public static Draft read(String name, Right right) {
    return new Draft(name, Kind.READ, right);
  }

  /// Begins an operation that changes something.
  public static Draft change(String name, Right right) {
    return new Draft(name, Kind.CHANGE, right);
  }

  /// Begins an operation that removes something permanently.
  public static Draft destroy(String name, Right right) {
    return new Draft(name, Kind.DESTROY, right);
  }

  /// An operation whose rest is not known yet.
  ///
  /// @param name the name
  /// @param kind how far it changes something
  /// @param right which right it needs
  public record Draft(String name, Kind kind, Right right) {
    /// Completes the operation. Its scope is [Scope#ADDRESS] if the input begins with an address
    /// that is in the path, [Scope#HOST] if it has a domain `host`, otherwise [Scope#SERVER].
    ///
    /// @param route such as `POST /accounts/{account}/disable`
    public <I extends Record, R extends Record> Operation<I, R> at(
        String route, String title, Class<I> input, Class<R> result) {
      Route where = Route.of(route);
      Shape shape = Shape.of(input);
      return new Operation<>(
          name, kind, scope(where, shape), right, where, title, shape, Shape.of(result));
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

  /// What an input is about, as a text for the audit: its first component; null if it has none.
  public @Nullable String subject(Record given) {
    Object first = input.components().isEmpty() ? null : input.get(given, 0);
    return first == null || first instanceof Secret ? null : Objects.toString(first);
  }

  @Override
  public String toString() {
    return name;
  }
}
