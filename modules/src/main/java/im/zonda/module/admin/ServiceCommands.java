package im.zonda.module.admin;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServerControl;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commands for the host as a whole: lists of addresses (XEP-0133, sections 4.11, 4.12 and 4.29),
/// restart and shutdown (4.30 and 4.31).
final class ServiceCommands {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceCommands.class);

  private final ModuleContext context;
  private final HostSettings settings;
  private final Admins admins;
  private final Announcements announcements;

  ServiceCommands(
      ModuleContext context, HostSettings settings, Admins admins, Announcements announcements) {
    this.context = context;
    this.settings = settings;
    this.admins = admins;
    this.announcements = announcements;
  }

  void addTo(CommandGroup commands) {
    commands
        .add(
            "edit-blacklist",
            "Edit Blacklist",
            () ->
                listForm(
                    "Editing the Blacklist",
                    "Fill out this form to edit the list of entities with whom communications are"
                        + " disallowed.",
                    "blacklistjids",
                    "The blacklist",
                    settings.values().blacklist()),
            this::editBlacklist)
        .add(
            "edit-whitelist",
            "Edit Whitelist",
            () ->
                listForm(
                    "Editing the Whitelist",
                    "Fill out this form to edit the list of entities with whom communications are"
                        + " allowed.",
                    "whitelistjids",
                    "The whitelist",
                    settings.values().whitelist()),
            this::editWhitelist)
        .add(
            "edit-admin",
            "Edit Admin List",
            () ->
                listForm(
                    "Editing the Admin List",
                    "Fill out this form to edit the list of entities who have administrative"
                        + " privileges.",
                    "adminjids",
                    "The admin list",
                    admins.all()),
            this::editAdmins);
    addStops(commands.when(context.port(ServerControl.class)::isAvailable));
  }

  private void addStops(CommandGroup commands) {
    commands
        .add(
            "restart",
            "Restart Service",
            () ->
                stopForm(
                    "Restarting the Service",
                    "Fill out this form to restart the service.",
                    "Time delay before restarting"),
            (stage, form) -> stop(stage, form, true))
        .add(
            "shutdown",
            "Shut Down Service",
            () ->
                stopForm(
                    "Shutting Down the Service",
                    "Fill out this form to shut down the service.",
                    "Time delay before shutting down"),
            (stage, form) -> stop(stage, form, false));
  }

  // ---- lists

  private static DataForm listForm(
      String title, String instructions, String field, String label, Collection<Jid> addresses) {
    return AdminForms.ask(title, instructions)
        .field(field, "jid-multi", label, addresses.stream().map(Jid::toString).toList(), Map.of())
        .build();
  }

  private void editBlacklist(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Set<Jid> addresses = AdminForms.addresses(form, "blacklistjids", HostSettings.MOST_ADDRESSES);
    for (Jid address : addresses) {
      if (address.equals(context.domain()) || admins.contains(address)) {
        stage.fail(address + " cannot be blocked: it is this host, or an administrator.");
        return;
      }
    }
    settings.blacklist(addresses);
    log("blacklist_changed", stage);
    stage.complete();
  }

  private void editWhitelist(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    settings.whitelist(AdminForms.addresses(form, "whitelistjids", HostSettings.MOST_ADDRESSES));
    log("whitelist_changed", stage);
    stage.complete();
  }

  private void editAdmins(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Set<Jid> addresses = AdminForms.addresses(form, "adminjids", HostSettings.MOST_ADDRESSES);
    for (Jid address : addresses) {
      if (!address.isBare() || address.local() == null) {
        stage.fail(address + " is not an account.");
        return;
      }
      if (admins.isLocal(address) && !admins.contains(address) && admins.created(address) == null) {
        stage.fail("There is no account " + address + ".");
        return;
      }
    }
    Set<Jid> configured = admins.configured();
    if (!addresses.containsAll(configured)) {
      stage.fail("Administrators of the configuration file can only be removed there.");
      return;
    }
    addresses.removeAll(configured);
    settings.admins(addresses);
    log("admins_changed", stage);
    stage.complete();
  }

  // ---- restart and shutdown

  private static DataForm stopForm(String title, String instructions, String label) {
    DataForm.Builder form =
        AdminForms.ask(title, instructions).listSingle("delay", label, null, AdminForms.delays());
    return AdminForms.multi(form, "announcement", "text-multi", "Announcement", List.of()).build();
  }

  private void stop(CommandStage stage, DataForm form, boolean restart) {
    String delay = AdminForms.text(form, "delay");
    if (delay == null || !AdminForms.delays().containsKey(delay)) {
      stage.fail("Choose one of the delays.");
      return;
    }
    String text = AdminForms.lines(form, "announcement");
    if (text != null) {
      announcements.send(TextCommands.ANNOUNCEMENT_SUBJECT, text);
    }
    log(restart ? "restart_by_admin" : "shutdown_by_admin", stage);
    ServerControl server = context.port(ServerControl.class);
    context
        .scheduler()
        .schedule(Duration.ofSeconds(Integer.parseInt(delay)), () -> server.stop(restart));
    boolean node = context.config().cluster().name() != null;
    stage.complete(List.of(), node ? "This node of the cluster only." : null);
  }

  private static void log(String event, CommandStage stage) {
    LOG.atInfo().addKeyValue("by", stage.from()).log(event);
  }
}
