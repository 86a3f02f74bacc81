package im.zonda.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Field.Form;
import org.junit.jupiter.api.Test;

/// What the audit says that an operation was about.
class OperationSubjectTest {
  /// Someone.
  public record Named(@Field("the name") String name, @Field("the text") String text) {}

  /// A document.
  public record Document(
      @Field(value = "the content", form = Form.LINES, max = 1_000_000) String content,
      @Field("the name") String name) {}

  @Test
  void itIsTheFirstComponentUnlessThatIsADocument() {
    Operation<Named, Nothing> named =
        Operation.change("thing.name", Right.SERVER)
            .at("POST /things", "Name a thing", Named.class, Nothing.class);
    assertThat(named.subject(new Named("rose", "red"))).isEqualTo("rose");
    Operation<Document, Nothing> document =
        Operation.change("thing.write", Right.SERVER)
            .at("POST /things/text", "Write a thing", Document.class, Nothing.class);
    assertThat(document.subject(new Document("a\nb", "rose"))).isNull();
  }
}
