package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandTable;
import im.zonda.module.forms.DataForm;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Adds all commands of administrators to the table of a host: those of XEP-0133, and one for each
/// operation.
///
/// @param context has the operations
/// @param allowed who administers the host, by their full addresses
public record AdminCommands(ModuleContext context, Predicate<Jid> allowed) {
  private static final String RESTART = "server.restart";
  private static final String STOP = "server.stop";

  /// Adds the commands.
  public void addTo(CommandTable table) {
    ServiceAdministration.rows()
        .forEach(row -> table.add(command(row, run -> RowCommands.run(run, row), allowed)));
    Operations operations = context.port(Operations.class);
    // Servers within other programs are not stopped so.
    Predicate<Jid> stops =
        jid -> operations.catalogue().find(RESTART, null) != null && allowed.test(jid);
    Row restart = new Row.Other("restart", "Restart Service", run -> stop(run, true));
    Row shutdown = new Row.Other("shutdown", "Shut Down Service", run -> stop(run, false));
    table.add(command(restart, run -> stop(run, true), stops));
    table.add(command(shutdown, run -> stop(run, false), stops));
    table.addAll(new OperationCommands(operations, context.domain(), allowed)::all);
  }

  private Command command(Row row, AdminRun.Action action, Predicate<Jid> who) {
    String node = row.name().contains("#") ? row.name() : AdminForms.node(row.name());
    return AdminRun.command(
        node, row.title(), who, context.port(Operations.class), context.domain(), action);
  }

  // ---- restart and shutdown (sections 4.30 and 4.31)

  private void stop(AdminRun run, boolean restart) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      run.stage()
          .ask(
              restart
                  ? stopForm(
                      "Restarting the Service",
                      "Fill out this form to restart the service.",
                      "Time delay before restarting")
                  : stopForm(
                      "Shutting Down the Service",
                      "Fill out this form to shut down the service.",
                      "Time delay before shutting down"));
      return;
    }
    String delay = AdminForms.text(form, "delay");
    if (delay == null || !AdminForms.delays().containsKey(delay)) {
      throw new AdminForms.WrongValue("Choose one of the delays.");
    }
    String text = AdminForms.lines(form, "announcement");
    if (text != null) {
      ServiceAdministration.announce(run, text);
    }
    Outcome<?> outcome = run.runAtServer(restart ? RESTART : STOP, Map.of("delay", delay + "s"));
    if (outcome instanceof Outcome.Refused<?> refused) {
      throw new AdminForms.WrongValue(refused.text());
    }
    boolean node = context.config().cluster().name() != null;
    run.stage().complete(List.of(), node ? "This node of the cluster only." : null);
  }

  private static DataForm stopForm(String title, String instructions, String label) {
    DataForm.Builder form =
        AdminForms.ask(title, instructions).listSingle("delay", label, null, AdminForms.delays());
    return AdminForms.multi(form, "announcement", "text-multi", "Announcement", List.of()).build();
  }
}
