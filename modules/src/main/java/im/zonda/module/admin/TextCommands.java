package im.zonda.module.admin;

import im.zonda.module.ModuleContext;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Commands for messages of the host to its users (XEP-0133, sections 4.23 to 4.28).
final class TextCommands {
  static final String MOTD_SUBJECT = "Message of the Day";
  static final String WELCOME_SUBJECT = "Welcome";
  static final String ANNOUNCEMENT_SUBJECT = "Announcement";

  /// The most characters of a message.
  private static final int MOST_CHARS = 10_000;

  private final ModuleContext context;
  private final HostSettings settings;
  private final Announcements announcements;

  TextCommands(ModuleContext context, HostSettings settings, Announcements announcements) {
    this.context = context;
    this.settings = settings;
    this.announcements = announcements;
  }

  void addTo(CommandGroup commands) {
    commands
        .add(
            "announce",
            "Send Announcement to Online Users",
            () ->
                textForm(
                    "Making an Announcement",
                    "Fill out this form to make an announcement to all active users of this service.",
                    "announcement",
                    "Announcement",
                    null),
            this::announce)
        .add(
            "set-motd",
            "Set Message of the Day",
            () ->
                textForm(
                    "Setting the Message of the Day",
                    "Fill out this form to set the message of the day.",
                    "motd",
                    "Message of the Day",
                    null),
            this::setMotd)
        .add(
            "edit-motd",
            "Edit Message of the Day",
            () ->
                textForm(
                    "Editing the Message of the Day",
                    "Fill out this form to edit the message of the day.",
                    "motd",
                    "Message of the Day",
                    settings.values().motd()),
            this::editMotd)
        .add("delete-motd", "Delete Message of the Day", this::deleteMotd)
        .add(
            "set-welcome",
            "Set Welcome Message",
            () ->
                textForm(
                    "Setting Welcome Message",
                    "Fill out this form to set the welcome message for this service.",
                    "welcome",
                    "Welcome Message",
                    settings.values().welcome()),
            this::setWelcome)
        .add("delete-welcome", "Delete Welcome Message", this::deleteWelcome);
  }

  private static DataForm textForm(
      String title, String instructions, String field, String label, @Nullable Notice present) {
    List<String> lines = present == null ? List.of() : present.text().lines().toList();
    return AdminForms.ask(title, instructions).required(field, "text-multi", label, lines).build();
  }

  private static String text(DataForm form, String field) throws AdminForms.WrongValue {
    String text = AdminForms.lines(form, field);
    if (text == null) {
      throw new AdminForms.WrongValue("Enter a text.");
    }
    if (text.length() > MOST_CHARS) {
      throw new AdminForms.WrongValue("Enter at most " + MOST_CHARS + " characters.");
    }
    return text;
  }

  private void announce(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    announcements.send(ANNOUNCEMENT_SUBJECT, text(form, "announcement"));
    stage.complete();
  }

  /// Users who are online get it at once, the others when they become available.
  private void setMotd(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Notice motd = new Notice(context.clock().instant(), text(form, "motd"));
    settings.motd(motd);
    announcements.send(MOTD_SUBJECT, motd.text());
    stage.complete();
  }

  private void editMotd(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Notice before = settings.values().motd();
    settings.motd(
        new Notice(
            before == null ? context.clock().instant() : before.since(), text(form, "motd")));
    stage.complete();
  }

  private void deleteMotd(CommandStage stage) {
    settings.motd(null);
    stage.complete();
  }

  private void setWelcome(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Notice before = settings.values().welcome();
    settings.welcome(
        new Notice(
            before == null ? context.clock().instant() : before.since(), text(form, "welcome")));
    stage.complete();
  }

  private void deleteWelcome(CommandStage stage) {
    settings.welcome(null);
    stage.complete();
  }
}
