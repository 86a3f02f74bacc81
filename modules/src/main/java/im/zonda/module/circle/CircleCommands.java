package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.module.invitations.InvitationModule;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commands of administrators for circles (XEP-0050), with forms of their own (XEP-0004).
///
/// @param admin offers the commands, and knows the administrators
/// @param invitations makes invitations
/// @param circles the circles of the host; null while the module is not installed
record CircleCommands(
    AdminModule admin, InvitationModule invitations, Supplier<@Nullable HostCircles> circles) {
  private static final Logger LOG = LoggerFactory.getLogger(CircleCommands.class);
  private static final String NAMESPACE = "urn:zonda:circles:0";
  private static final String NAME = "name";
  private static final String CIRCLE = "circle";
  private static final String ACCOUNTS = "accountjids";
  private static final String ROOM = "room";
  private static final String USERNAME = "username";

  /// What a command does with its form.
  @FunctionalInterface
  private interface Action {
    /// @throws IllegalArgumentException if that cannot be
    void run(CommandStage stage, HostCircles circles, DataForm form);
  }

  /// The form that a command asks for.
  @FunctionalInterface
  private interface Form {
    DataForm of(HostCircles circles);
  }

  /// Offers them. To be called before the admin module is installed.
  void offer() {
    offer("create", "Create Circle", circles -> createForm(), this::create);
    offer("list", "List Circles", stage -> list(stage, installed()));
    offer(
        "show",
        "Show Circle",
        circles -> circleForm(circles, "Show a Circle", "Choose a circle.").build(),
        this::show);
    offer(
        "add",
        "Add to Circle",
        circles -> accountsForm(circles, "Add to a Circle", "Who joins the circle?"),
        this::add);
    offer(
        "remove",
        "Remove from Circle",
        circles ->
            accountsForm(
                circles,
                "Remove from a Circle",
                "Who leaves the circle? They leave its room and keep their contacts."),
        this::remove);
    offer(
        "invite",
        "Invite to Circle",
        circles ->
            circleForm(
                    circles,
                    "Invite Someone to a Circle",
                    "Leave the username empty to let the new user choose one.")
                .text(USERNAME, "Username", null)
                .build(),
        this::invite);
    offer(
        "delete",
        "Delete Circle",
        circles ->
            circleForm(
                    circles,
                    "Delete a Circle",
                    "The room of the circle is destroyed. Its members stay each other's contacts.")
                .build(),
        this::delete);
  }

  private void offer(String name, String title, Form form, Action action) {
    offer(
        name,
        title,
        stage -> {
          DataForm submitted = stage.form();
          if (submitted == null) {
            stage.ask(form.of(installed()));
          } else {
            action.run(stage, installed(), submitted);
          }
        });
  }

  private void offer(String name, String title, Consumer<CommandStage> action) {
    admin.offer(
        new Command(
            NAMESPACE + "#" + name,
            title,
            from -> circles.get() != null && admin.isAdministrator(from),
            stage -> {
              try {
                action.accept(stage);
              } catch (IllegalArgumentException e) {
                stage.fail(sentence(String.valueOf(e.getMessage())));
              }
            }));
  }

  private HostCircles installed() {
    HostCircles present = circles.get();
    if (present == null) {
      throw new IllegalArgumentException("circles are switched off");
    }
    return present;
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  // ---- forms

  private static DataForm createForm() {
    return DataForm.builder("form", NAMESPACE)
        .title("Create a Circle")
        .instructions(
            "The members of a circle are each other's contacts, and have a room of their own.")
        .required(NAME, "text-single", "Name", List.of())
        .field(ACCOUNTS, "jid-multi", "Members", List.of(), Map.of())
        .build();
  }

  private static DataForm.Builder circleForm(
      HostCircles circles, String title, String instructions) {
    Map<String, String> options = new LinkedHashMap<>();
    circles.stored().all().forEach(each -> options.put(each.local(), each.name()));
    if (options.isEmpty()) {
      throw new IllegalArgumentException("there are no circles");
    }
    return DataForm.builder("form", NAMESPACE)
        .title(title)
        .instructions(instructions)
        .listSingle(CIRCLE, "Circle", null, options);
  }

  private static DataForm accountsForm(HostCircles circles, String title, String instructions) {
    return circleForm(circles, title, instructions)
        .required(ACCOUNTS, "jid-multi", "Accounts", List.of())
        .build();
  }

  private static String text(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String value = field == null ? null : field.value();
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          name.equals(CIRCLE) ? "choose a circle" : "a circle needs a name");
    }
    return value;
  }

  private static List<Jid> accounts(DataForm form) {
    Set<Jid> accounts = new LinkedHashSet<>();
    DataForm.Field field = form.field(ACCOUNTS);
    for (String value : field == null ? List.<String>of() : field.values()) {
      if (!value.isBlank()) {
        try {
          accounts.add(Jid.of(value.strip()).bare());
        } catch (JidFormatException e) {
          throw new IllegalArgumentException(value + " is not an address", e);
        }
      }
    }
    return List.copyOf(accounts);
  }

  private static List<Jid> someAccounts(DataForm form) {
    List<Jid> accounts = accounts(form);
    if (accounts.isEmpty()) {
      throw new IllegalArgumentException("enter the address of an account");
    }
    return accounts;
  }

  // ---- what they do

  private void create(CommandStage stage, HostCircles circles, DataForm form) {
    Circle circle = circles.stored().create(text(form, NAME), accounts(form));
    changed("circle_created", circle.name(), stage, circles);
    stage.complete(result(circles, circle).toElement());
  }

  private void list(CommandStage stage, HostCircles circles) {
    List<Circle> all = circles.stored().all();
    List<String> names = all.stream().map(Circle::name).toList();
    stage.complete(
        List.of(
            DataForm.builder("result", NAMESPACE)
                .title("Circles")
                .field("circles", "text-multi", "Circles", names, Map.of())
                .build()
                .toElement()),
        all.isEmpty() ? "There are no circles." : null);
  }

  private void show(CommandStage stage, HostCircles circles, DataForm form) {
    Circle circle = circles.stored().get(text(form, CIRCLE));
    stage.complete(result(circles, circle).toElement());
  }

  private static DataForm result(HostCircles circles, Circle circle) {
    DataForm.Builder result =
        DataForm.builder("result", NAMESPACE).text(NAME, "Name", circle.name());
    Jid room = circles.room(circle);
    if (room != null) {
      result.field(ROOM, "jid-single", "Room", List.of(room.toString()), Map.of());
    }
    List<String> members = circles.stored().members(circle).stream().map(Jid::toString).toList();
    return result.field(ACCOUNTS, "jid-multi", "Members", members, Map.of()).build();
  }

  private void add(CommandStage stage, HostCircles circles, DataForm form) {
    String name = text(form, CIRCLE);
    boolean isSame = circles.stored().add(name, someAccounts(form)).isEmpty();
    changed("circle_members_added", name, stage, circles);
    stage.complete(List.of(), isSame ? "They are members already." : null);
  }

  private void remove(CommandStage stage, HostCircles circles, DataForm form) {
    String name = text(form, CIRCLE);
    circles.stored().removeMembers(name, someAccounts(form));
    changed("circle_members_removed", name, stage, circles);
    stage.complete();
  }

  /// Makes a link by which someone registers an account that becomes a member.
  private void invite(CommandStage stage, HostCircles circles, DataForm form) {
    Circle circle = circles.stored().get(text(form, CIRCLE));
    DataForm.Field field = form.field(USERNAME);
    String username = field == null ? null : field.value();
    Jid account =
        username == null || username.isBlank()
            ? null
            : circles.stored().newAccount(username.strip());
    InvitationModule.Issued issued =
        invitations.invite(
            new InvitationModule.Offer(
                account == null ? null : account.local(), null, circle.name(), null));
    LOG.atInfo()
        .addKeyValue("circle", circle.name())
        .addKeyValue("by", stage.from())
        .log("invitation_issued");
    DataForm.Builder result = DataForm.builder("result", NAMESPACE);
    result.text("uri", "Link for apps", issued.uri());
    if (issued.page() != null) {
      result.text("landing-url", "Page to send", issued.page());
    }
    stage.complete(result.build().toElement());
  }

  private void delete(CommandStage stage, HostCircles circles, DataForm form) {
    String name = text(form, CIRCLE);
    circles.stored().remove(name);
    changed("circle_deleted", name, stage, circles);
    stage.complete();
  }

  private static void changed(String event, String name, CommandStage stage, HostCircles circles) {
    LOG.atInfo().addKeyValue("circle", name).addKeyValue("by", stage.from()).log(event);
    circles.work().changed();
  }
}
