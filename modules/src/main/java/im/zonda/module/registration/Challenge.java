package im.zonda.module.registration;

import im.zonda.module.forms.DataForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A question in the registration form (XEP-0158, "Extended In-Band Registration"). It is kept with
/// the stream that was asked, and may be answered on that stream until an account is created.
///
/// @param id its identifier
/// @param sid the identifier of the request that it answers, or null
/// @param question the text of the question
record Challenge(String id, @Nullable String sid, String question) {
  static final String ID_FIELD = "challenge";
  static final String ANSWER_FIELD = "qa";

  /// Adds the fields to a form of type `form`.
  void addTo(DataForm.Builder form) {
    form.hidden(ID_FIELD, id);
    if (sid != null) {
      form.hidden("sid", sid);
    }
    form.required(ANSWER_FIELD, "text-single", question, List.of());
  }
}
