package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Grant;
import im.zonda.operation.Kind;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who may run what: every operation, for every role, and for every role limited to one right or to
/// one host, about their own host, another host and no host.
class RightsTableTest {
  private static final String OWN = "own.example";
  private static final String OTHER = "other.example";
  private static final String NOWHERE = "nowhere.example";

  /// What the roles have of each right, in the order of the roles: all, change, read or nothing.
  private static final String TABLE =
      """
                    SERVER_ADMIN HOST_ADMIN OPERATOR READ_ONLY AUDITOR
      ACCOUNTS      all          all        read     read      -
      SESSIONS      all          all        all      read      -
      ROOMS         all          all        read     read      -
      NODES         all          all        read     read      -
      FILES         all          all        read     read      -
      INVITATIONS   all          all        read     read      -
      NOTICES       all          all        all      read      -
      MODERATION    all          all        read     read      -
      CONTENT       -            -          -        -         -
      LINKS         all          -          all      read      -
      CLUSTER       all          -          all      read      -
      HOSTS         all          -          read     read      -
      CONFIGURATION all          -          read     read      -
      DATA          all          -          change   read      -
      SERVER        all          -          all      read      read
      AUDIT         all          -          -        -         read
      TOKENS        all          -          -        -         read
      """;

  /// Where an operation is done.
  private enum Where {
    OWN,
    OTHER,
    NONE
  }

  /// What becomes of it.
  private enum Answer {
    DONE,
    FORBIDDEN,
    NOT_FOUND
  }

  private final Operations operations =
      new OperationExecutor(
          new OperationExecutor.Parts(
              new Catalogue() {
                @Override
                public List<Operation<?, ?>> operations() {
                  return StandardOperations.ALL;
                }

                @Override
                public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
                  return StandardOperations.ALL.stream()
                      .filter(each -> each.name().equals(name))
                      .findFirst()
                      .map(RightsTableTest::offer)
                      .orElse(null);
                }

                @Override
                public @Nullable String hostOf(String domain) {
                  return domain.equals(OWN) || domain.equals(OTHER) ? domain : null;
                }
              },
              _ -> {},
              _ -> "",
              () -> Instant.EPOCH,
              Runnable::run,
              new Jobs(() -> Instant.EPOCH, () -> "job", Runnable::run)));

  /// Ends in a way in which nothing else does.
  private static <I extends Record, R extends Record> Offer<I, R> offer(Operation<I, R> operation) {
    return operation.by((_, _) -> Outcome.refused(Reason.TOO_MANY, "It was run."));
  }

  private static List<Grant> grants() {
    List<Grant> grants = new ArrayList<>();
    for (Role role : Role.values()) {
      if (role != Role.HOST_ADMIN) {
        grants.add(new Grant(role, null, null));
      }
      grants.add(new Grant(role, Set.of(OWN), null));
      for (Right right : Right.values()) {
        grants.add(new Grant(role, role == Role.HOST_ADMIN ? Set.of(OWN) : null, Set.of(right)));
      }
    }
    return grants;
  }

  @Test
  void everyoneHasWhatTheTableSaysAndNothingElse() {
    List<String> wrong = new ArrayList<>();
    int rows = 0;
    for (Operation<?, ?> operation : StandardOperations.ALL) {
      for (Grant grant : grants()) {
        for (Where where : places(operation)) {
          rows++;
          Answer expected = expected(operation, grant, where);
          Answer answer = answer(operation, grant, where);
          if (answer != expected) {
            wrong.add(operation + ", " + grant + ", " + where + ": " + answer);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(rows).isGreaterThanOrEqualTo(1_000);
  }

  private static List<Where> places(Operation<?, ?> operation) {
    return switch (operation.scope()) {
      case SERVER -> List.of(Where.NONE);
      case HOST, ADDRESS -> List.of(Where.values());
    };
  }

  private static Answer expected(Operation<?, ?> operation, Grant grant, Where where) {
    boolean has = has(grant, operation.right(), operation.kind());
    boolean limited = grant.hosts() != null;
    if (!has || (limited && where != Where.OWN)) {
      return Answer.FORBIDDEN;
    }
    return where == Where.NONE && needsHost(operation) ? Answer.NOT_FOUND : Answer.DONE;
  }

  /// Whether there is nothing to run it on without a host.
  private static boolean needsHost(Operation<?, ?> operation) {
    return switch (operation.scope()) {
      case SERVER -> false;
      case HOST -> Objects.requireNonNull(operation.input().component("host")).required();
      case ADDRESS -> true;
    };
  }

  private static boolean has(Grant grant, Right right, Kind kind) {
    Set<Right> only = grant.rights();
    if (only != null && !only.contains(right)) {
      return false;
    }
    if (right == Right.CONTENT) {
      return only != null;
    }
    String line =
        TABLE.lines().filter(each -> each.startsWith(right + " ")).findFirst().orElseThrow();
    return switch (line.split(" +", -1)[1 + List.of(Role.values()).indexOf(grant.role())]) {
      case "all" -> true;
      case "change" -> kind != Kind.DESTROY;
      case "read" -> kind == Kind.READ;
      default -> false;
    };
  }

  private Answer answer(Operation<?, ?> operation, Grant grant, Where where) {
    Caller caller = new Caller("someone", Caller.Via.API, null, grant);
    Outcome<?> outcome = operations.run(caller, operation.name(), input(operation, where));
    if (outcome instanceof Outcome.Refused<?>(Reason reason, String text, String _)) {
      return switch (reason) {
        case TOO_MANY -> Answer.DONE;
        case FORBIDDEN -> Answer.FORBIDDEN;
        case NOT_FOUND -> Answer.NOT_FOUND;
        case INVALID, CONFLICT, NOT_APPLICABLE, UNAVAILABLE, TIMEOUT, FAILED ->
            throw new AssertionError(operation + ": " + text);
      };
    }
    throw new AssertionError(operation + ": " + outcome);
  }

  private static Map<String, Object> input(Operation<?, ?> operation, Where where) {
    String domain =
        switch (where) {
          case OWN -> OWN;
          case OTHER -> OTHER;
          case NONE -> NOWHERE;
        };
    Map<String, Object> given = new LinkedHashMap<>();
    for (Shape.Component each : operation.input().components()) {
      boolean host = each.name().equals("host") && each.value() instanceof Value.Domain;
      if (each.required() || (host && where != Where.NONE)) {
        given.put(each.name(), SampleValues.given(each.value(), domain));
      }
    }
    return given;
  }
}
