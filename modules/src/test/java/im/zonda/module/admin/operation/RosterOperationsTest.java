package im.zonda.module.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.admin.operation.RosterOperations.Chosen;
import im.zonda.module.admin.operation.RosterOperations.Contact;
import im.zonda.module.admin.operation.RosterOperations.Put;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Outcome.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class RosterOperationsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Jid NOBODY = Jid.of("nobody@example.org");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();

  RosterOperationsTest() {
    DiscoModule disco = new DiscoModule();
    context.install(disco, new RosterModule(), new AdminModule(disco)).answerRequests();
    context.account(ROMEO.toString());
  }

  private List<Contact> contacts() {
    return operations.done(RosterOperations.SHOW, new AccountOperations.Chosen(ROMEO)).contacts();
  }

  @Test
  void aContactIsAddedChangedAndRemoved() {
    operations.done(RosterOperations.PUT, new Put(ROMEO, JULIET, "Juliet", List.of("Lovers")));
    assertThat(contacts())
        .containsExactly(new Contact(JULIET, "Juliet", "none", false, false, List.of("Lovers")));
    operations.done(RosterOperations.PUT, new Put(ROMEO, JULIET, "J.", List.of()));
    assertThat(contacts())
        .containsExactly(new Contact(JULIET, "J.", "none", false, false, List.of()));
    operations.done(RosterOperations.REMOVE, new Chosen(ROMEO, JULIET));
    assertThat(contacts()).isEmpty();
    assertThat(operations.changes())
        .containsExactly(
            "contact:  -> Juliet [Lovers]",
            "contact: Juliet [Lovers] -> J. []",
            "contact: J. [] -> null");
  }

  @Test
  void whatIsNotThereIsNotChanged() {
    assertThat(operations.refused(RosterOperations.SHOW, new AccountOperations.Chosen(NOBODY)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(RosterOperations.PUT, new Put(NOBODY, JULIET, null, List.of())))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(RosterOperations.REMOVE, new Chosen(ROMEO, JULIET)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(RosterOperations.PUT, new Put(ROMEO, ROMEO, null, List.of())))
        .as("oneself")
        .isEqualTo(Reason.CONFLICT);
  }
}
