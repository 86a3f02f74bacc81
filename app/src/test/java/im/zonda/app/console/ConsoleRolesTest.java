package im.zonda.app.console;

import static im.zonda.app.console.RunningConsole.status;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Role;
import im.zonda.operation.Scope;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/// Which role may read which page, and the page of which operation.
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleRolesTest {
  private static final String OWN = "own.example";

  /// The pages of lists: the operation that each reads, and the roles that may.
  private static final Map<String, Set<Role>> PAGES =
      new TreeMap<>(
          Map.of(
              "people", Set.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY),
              "sessions", Set.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY),
              "rooms", Set.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY),
              "invitations",
                  Set.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY),
              "reports", Set.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY),
              "jobs", Set.of(Role.SERVER_ADMIN, Role.OPERATOR, Role.READ_ONLY, Role.AUDITOR),
              "audit", Set.of(Role.SERVER_ADMIN, Role.AUDITOR),
              "tokens", Set.of(Role.SERVER_ADMIN, Role.AUDITOR),
              "signed-in", Set.of(Role.SERVER_ADMIN, Role.AUDITOR)));

  private RunningConsole running;
  private final Map<Role, RunningConsole.Window> windows = new EnumMap<>(Role.class);

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    running = new RunningConsole(folder);
    running.server.accounts(List.of("bob@own.example"));
    for (Role role : Role.values()) {
      windows.put(role, running.signedIn(role.name(), grant(role)));
    }
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static Grant grant(Role role) {
    return new Grant(role, role.needsHosts() ? Set.of(OWN) : null, null);
  }

  /// A page that may not be read says which right is missing, and is not in the rail.
  @Test
  void pagesByRoles() throws Exception {
    for (Map.Entry<Role, RunningConsole.Window> each : windows.entrySet()) {
      String overview = each.getValue().get("/admin/");
      assertThat(status(overview)).isEqualTo(200);
      for (Map.Entry<String, Set<Role>> page : PAGES.entrySet()) {
        String row = page.getKey() + " as " + each.getKey();
        boolean allowed = page.getValue().contains(each.getKey());
        String response = each.getValue().get("/admin/" + page.getKey());
        assertThat(status(response)).as(row).isEqualTo(allowed ? 200 : 403);
        assertThat(overview.contains("\"/admin/" + page.getKey() + "\""))
            .as("rail: " + row)
            .isEqualTo(allowed);
        if (!allowed) {
          assertThat(response).as(row).contains("it needs the right ");
        }
      }
    }
  }

  /// The page of each operation is for those whose grant has it; there are some hundred of them.
  @Test
  void operationsByRoles() throws Exception {
    int rows = 0;
    for (Operation<?, ?> operation : running.operations.catalogue().operations()) {
      for (Map.Entry<Role, RunningConsole.Window> each : windows.entrySet()) {
        boolean ofHost = operation.scope() != Scope.SERVER;
        boolean allowed = grant(each.getKey()).allows(operation, ofHost ? OWN : null);
        int status = status(each.getValue().get("/admin/do/" + operation.name()));
        String row = operation + " as " + each.getKey();
        if (allowed) {
          assertThat(status).as(row).isNotIn(303, 403, 404, 500);
        } else {
          assertThat(status).as(row).isEqualTo(403);
        }
        rows++;
      }
    }
    assertThat(rows).isGreaterThan(300);
  }

  /// The form of an operation that the role does not have is rejected when it is sent, too.
  @Test
  void formsByRoles() throws Exception {
    for (Map.Entry<Role, RunningConsole.Window> each : windows.entrySet()) {
      boolean allowed = each.getKey() == Role.SERVER_ADMIN || each.getKey() == Role.HOST_ADMIN;
      int status =
          status(
              each.getValue()
                  .run("account.disable", "account", "bob@own.example", "back", "/admin/people"));
      assertThat(status).as(each.getKey().name()).isEqualTo(allowed ? 303 : 403);
    }
  }
}
