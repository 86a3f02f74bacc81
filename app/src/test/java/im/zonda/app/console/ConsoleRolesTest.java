package im.zonda.app.console;

import static im.zonda.app.console.RunningConsole.status;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.operation.StandardOperations;
import im.zonda.operation.Grant;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Role;
import im.zonda.operation.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private static final Set<Role> ALL = EnumSet.allOf(Role.class);
  private static final Set<Role> HOST =
      EnumSet.of(Role.SERVER_ADMIN, Role.HOST_ADMIN, Role.OPERATOR, Role.READ_ONLY);
  private static final Set<Role> SERVER =
      EnumSet.of(Role.SERVER_ADMIN, Role.OPERATOR, Role.READ_ONLY);
  private static final Set<Role> PROCESS =
      EnumSet.of(Role.SERVER_ADMIN, Role.OPERATOR, Role.READ_ONLY, Role.AUDITOR);
  private static final Set<Role> CONFIDENTIAL = EnumSet.of(Role.SERVER_ADMIN, Role.AUDITOR);

  /// The roles that may read each page.
  private static final Map<String, Set<Role>> PAGES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("", ALL),
              Map.entry("alarms", PROCESS),
              Map.entry("audit", CONFIDENTIAL),
              Map.entry("backups", SERVER),
              Map.entry("bans", SERVER),
              Map.entry("caches", PROCESS),
              Map.entry("certificates", PROCESS),
              Map.entry("cluster", SERVER),
              Map.entry("configuration", SERVER),
              Map.entry("do/", ALL),
              Map.entry("doctor", PROCESS),
              Map.entry("failed-logins", SERVER),
              Map.entry("groups", HOST),
              Map.entry("hosts", SERVER),
              Map.entry("invitations", HOST),
              Map.entry("jobs", PROCESS),
              Map.entry("links", SERVER),
              Map.entry("load", PROCESS),
              Map.entry("log", PROCESS),
              Map.entry("people", HOST),
              Map.entry("plugin", PROCESS),
              Map.entry("plugin-add", EnumSet.of(Role.SERVER_ADMIN)),
              Map.entry("plugins", PROCESS),
              Map.entry("providers", PROCESS),
              Map.entry("queues", PROCESS),
              Map.entry("start", SERVER),
              Map.entry("invite", EnumSet.of(Role.SERVER_ADMIN, Role.HOST_ADMIN)),
              Map.entry("setting", SERVER),
              Map.entry("setting-history", SERVER),
              Map.entry("person", HOST),
              Map.entry("recordings", PROCESS),
              Map.entry("reports", HOST),
              Map.entry("room", HOST),
              Map.entry("rooms", HOST),
              Map.entry("search", ALL),
              Map.entry("security", ALL),
              Map.entry("sessions", HOST),
              Map.entry("signed-in", CONFIDENTIAL),
              Map.entry("tokens", CONFIDENTIAL),
              Map.entry("trace", SERVER),
              Map.entry("traces", SERVER)));

  private RunningConsole running;
  private final Map<Role, RunningConsole.Window> windows = new EnumMap<>(Role.class);

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    running = new RunningConsole(folder);
    running.server.accounts(List.of("bob@own.example"));
    offerWhatOnlyAProcessHas();
    for (Role role : Role.values()) {
      windows.put(role, running.signedIn(role.name(), grant(role)));
    }
  }

  /// This server is no process of its own, and so has not all operations. Who may ask for one is
  /// decided before anything answers.
  private void offerWhatOnlyAProcessHas() {
    List<Offer<?, ?>> others = new ArrayList<>();
    List<Operation<?, ?>> here = running.operations.catalogue().operations();
    for (Operation<?, ?> each : StandardOperations.ALL) {
      if (!here.contains(each)) {
        others.add(notHere(each));
      }
    }
    running.server.server().catalogue().offer(others);
  }

  private static <I extends Record, R extends Record> Offer<I, R> notHere(
      Operation<I, R> operation) {
    return operation.by((_, _) ->
        Outcome.refused(Outcome.Reason.UNAVAILABLE, "This server is no process of its own."));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static Grant grant(Role role) {
    return new Grant(role, role.needsHosts() ? Set.of(OWN) : null, null);
  }

  /// Parameters without which a page is about nothing.
  private static final Map<String, String> ABOUT =
      Map.of(
          "plugin", "?plugin=greeter",
          "person", "?account=bob@own.example",
          "room", "?room=hall@rooms.own.example",
          "trace", "?message=1");

  /// Every page has a row: who adds one says who may read it.
  @Test
  void everyPageHasARow() {
    List<String> pages =
        Objects.requireNonNull(running.console.console()).paths().stream()
            .map(path -> path.substring("/admin/".length()))
            .toList();
    assertThat(PAGES.keySet()).containsExactlyInAnyOrderElementsOf(pages);
  }

  /// A page that may not be read says which right is missing, and is not in the rail.
  @Test
  void pagesByRoles() throws Exception {
    for (Map.Entry<Role, RunningConsole.Window> each : windows.entrySet()) {
      String overview = each.getValue().get("/admin/");
      for (Map.Entry<String, Set<Role>> page : PAGES.entrySet()) {
        String word = page.getKey();
        String row = word + " as " + each.getKey();
        String response = each.getValue().get("/admin/" + word + ABOUT.getOrDefault(word, ""));
        boolean inRail = overview.contains("\"/admin/" + word + "\" aria-current");
        if (page.getValue().contains(each.getKey())) {
          assertThat(status(response)).as(row).isIn(200, 404, 503);
        } else {
          assertThat(status(response)).as(row).isEqualTo(403);
          assertThat(inRail).as("rail: " + row).isFalse();
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
