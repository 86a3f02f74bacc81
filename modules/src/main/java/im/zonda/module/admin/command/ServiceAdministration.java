package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.admin.command.Row.Head;
import im.zonda.module.admin.command.Row.Sentence;
import im.zonda.module.admin.command.Row.Whose;
import im.zonda.module.admin.operation.AccessOperations;
import im.zonda.module.admin.operation.AccessOperations.Kind;
import im.zonda.module.admin.operation.AccountLists.State;
import im.zonda.module.admin.operation.AccountOperations;
import im.zonda.module.admin.operation.AccountOperations.Chosen;
import im.zonda.module.admin.operation.NoticeOperations;
import im.zonda.module.admin.operation.NoticeOperations.Audience;
import im.zonda.module.admin.operation.SessionOperations;
import im.zonda.operation.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The commands of XEP-0133, each a row.
final class ServiceAdministration {
  private ServiceAdministration() {}

  /// All rows in the order of the list of commands, without restart and shutdown.
  static List<Row> rows() {
    List<Row> rows = new ArrayList<>(changes());
    rows.addAll(AccountRows.shown());
    rows.addAll(numbers());
    rows.addAll(lists());
    rows.addAll(FileRows.rows());
    rows.addAll(texts());
    rows.addAll(addresses());
    return rows;
  }

  /// Sections 4.1 to 4.5 and 4.7.
  private static List<Row> changes() {
    return List.of(
        AccountRows.ADD,
        new Row.OnAccounts<>(
            "delete-user",
            "Delete User",
            new Head("Deleting a User", "Fill out this form to delete a user."),
            "The Jabber ID(s) to delete",
            Whose.OTHERS,
            (run, account) -> run.run(AccountOperations.REMOVE, new Chosen(account)),
            Sentence.LISTED,
            (_, _) -> null),
        new Row.OnAccounts<>(
            "disable-user",
            "Disable User",
            new Head("Disabling a User", "Fill out this form to disable a user."),
            "The Jabber ID(s) to disable",
            Whose.OTHERS,
            (run, account) ->
                run.run(
                    AccountOperations.DISABLE, new AccountOperations.Disabled(account, null, null)),
            Sentence.EACH,
            (_, _) -> null),
        new Row.OnAccounts<>(
            "reenable-user",
            "Re-Enable User",
            new Head("Re-Enable a User", "Fill out this form to re-enable a user."),
            "The Jabber ID(s) to re-enable",
            Whose.ALL,
            (run, account) -> run.run(AccountOperations.ENABLE, new Chosen(account)),
            Sentence.EACH,
            (_, _) -> null),
        new Row.OnAccounts<>(
            "end-user-session",
            "End User Session",
            new Head("Ending a User Session", "Fill out this form to end a user's session."),
            "The Jabber ID(s) for which to end sessions",
            Whose.SESSIONS,
            ServiceAdministration::endSessions,
            Sentence.EACH,
            (_, _) -> null),
        AccountRows.CHANGE_PASSWORD);
  }

  private static Outcome<? extends Record> endSessions(AdminRun run, Jid address) {
    String resource = address.resource();
    return resource == null
        ? run.run(
            SessionOperations.END_ALL,
            new SessionOperations.Ending(run.domain(), address, null, null, null, null, false))
        : run.run(SessionOperations.END, new SessionOperations.Chosen(address.bare(), resource));
  }

  /// Sections 4.13 to 4.17.
  private static List<Row> numbers() {
    return List.of(
        new Row.Count(
            "get-registered-users-num",
            "Get Number of Registered Users",
            State.ANY,
            "registeredusersnum",
            "The number of registered users"),
        new Row.Count(
            "get-disabled-users-num",
            "Get Number of Disabled Users",
            State.DISABLED,
            "disabledusersnum",
            "The number of disabled users"),
        new Row.Count(
            "get-online-users-num",
            "Get Number of Online Users",
            State.ONLINE,
            "onlineusersnum",
            "The number of online users"),
        new Row.Count(
            "get-active-users-num",
            "Get Number of Active Users",
            State.ACTIVE,
            "activeusersnum",
            "The number of active users"),
        new Row.Count(
            "get-idle-users-num",
            "Get Number of Idle Users",
            State.IDLE,
            "idleusersnum",
            "The number of idle users"));
  }

  /// Sections 4.18 to 4.22.
  private static List<Row> lists() {
    return List.of(
        new Row.Accounts(
            "get-registered-users-list",
            "Get List of Registered Users",
            "Registered",
            State.ANY,
            "registereduserjids",
            "The list of all users"),
        new Row.Accounts(
            "get-disabled-users-list",
            "Get List of Disabled Users",
            "Disabled",
            State.DISABLED,
            "disableduserjids",
            "The list of all disabled users"),
        new Row.Accounts(
            "get-online-users-list",
            "Get List of Online Users",
            "Online",
            State.ONLINE,
            "onlineuserjids",
            "The list of all online users"),
        new Row.Accounts(
            "get-active-users",
            "Get List of Active Users",
            "Active",
            State.ACTIVE,
            "activeuserjids",
            "The list of active users"),
        // The registry has no field of its own for them; this is that of the XEP's example.
        new Row.Accounts(
            "get-idle-users",
            "Get List of Idle Users",
            "Idle",
            State.IDLE,
            "activeuserjids",
            "The list of idle users"));
  }

  /// Sections 4.23 to 4.28.
  private static List<Row> texts() {
    String active =
        "Fill out this form to make an announcement to all active users of this service.";
    return List.of(
        new Row.Text(
            "announce",
            "Send Announcement to Online Users",
            new Head("Making an Announcement", active),
            "announcement",
            "Announcement",
            null,
            ServiceAdministration::announce),
        new Row.Text(
            "set-motd",
            "Set Message of the Day",
            new Head(
                "Setting the Message of the Day",
                "Fill out this form to set the message of the day."),
            "motd",
            "Message of the Day",
            null,
            (run, text) -> motd(run, text, false)),
        new Row.Text(
            "edit-motd",
            "Edit Message of the Day",
            new Head(
                "Editing the Message of the Day",
                "Fill out this form to edit the message of the day."),
            "motd",
            "Message of the Day",
            NoticeOperations.SHOW_MOTD,
            (run, text) -> motd(run, text, true)),
        new Row.Once(
            "delete-motd",
            "Delete Message of the Day",
            run -> run.run(NoticeOperations.REMOVE_MOTD, host(run))),
        new Row.Text(
            "set-welcome",
            "Set Welcome Message",
            new Head(
                "Setting Welcome Message",
                "Fill out this form to set the welcome message for this service."),
            "welcome",
            "Welcome Message",
            NoticeOperations.SHOW_WELCOME,
            (run, text) ->
                run.run(
                    NoticeOperations.SET_WELCOME,
                    new NoticeOperations.Welcome(run.domain(), text))),
        new Row.Once(
            "delete-welcome",
            "Delete Welcome Message",
            run -> run.run(NoticeOperations.REMOVE_WELCOME, host(run))));
  }

  static Outcome<?> announce(AdminRun run, String text) {
    return run.run(
        NoticeOperations.ANNOUNCE,
        new NoticeOperations.Announcement(run.domain(), text, Audience.ONLINE, false));
  }

  private static NoticeOperations.Chosen host(AdminRun run) {
    return new NoticeOperations.Chosen(run.domain());
  }

  private static Outcome<?> motd(AdminRun run, String text, boolean edit) {
    return run.run(NoticeOperations.SET_MOTD, new NoticeOperations.Text(run.domain(), text, edit));
  }

  /// Sections 4.11, 4.12 and 4.29.
  private static List<Row> addresses() {
    return List.of(
        new Row.Addresses(
            "edit-blacklist",
            "Edit Blacklist",
            new Head(
                "Editing the Blacklist",
                "Fill out this form to edit the list of entities with whom communications are"
                    + " disallowed."),
            "blacklistjids",
            "The blacklist",
            run -> Row.list(run, Kind.BLACKLIST),
            (run, wanted) -> change(run, Kind.BLACKLIST, wanted)),
        new Row.Addresses(
            "edit-whitelist",
            "Edit Whitelist",
            new Head(
                "Editing the Whitelist",
                "Fill out this form to edit the list of entities with whom communications are"
                    + " allowed."),
            "whitelistjids",
            "The whitelist",
            run -> Row.list(run, Kind.WHITELIST),
            (run, wanted) -> change(run, Kind.WHITELIST, wanted)),
        new Row.Addresses(
            "edit-admin",
            "Edit Admin List",
            new Head(
                "Editing the Admin List",
                "Fill out this form to edit the list of entities who have administrative"
                    + " privileges."),
            "adminjids",
            "The admin list",
            ServiceAdministration::administrators,
            (run, wanted) ->
                run.run(
                    AccessOperations.SET_ADMINISTRATORS,
                    new AccessOperations.Appointed(run.domain(), List.copyOf(wanted)))));
  }

  private static Outcome<?> change(AdminRun run, Kind kind, Set<Jid> wanted) {
    try {
      Collection<Jid> present = Row.list(run, kind);
      List<Jid> added = wanted.stream().filter(each -> !present.contains(each)).toList();
      List<Jid> removed = present.stream().filter(each -> !wanted.contains(each)).toList();
      return run.run(
          AccessOperations.CHANGE, new AccessOperations.Change(run.domain(), kind, added, removed));
    } catch (AdminForms.WrongValue e) {
      return Outcome.refused(Outcome.Reason.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private static List<Jid> administrators(AdminRun run) throws AdminForms.WrongValue {
    return run.result(
            AccessOperations.LIST_ADMINISTRATORS, new AccessOperations.Chosen(run.domain()))
        .administrators();
  }
}
