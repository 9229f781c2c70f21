import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Panel } from '@lumino/widgets';
import { PROFILE_MIME_TYPE } from '../names';
import { readProfile } from './read';
import { ProfileView, type ProfileViewServices } from './view';

/** Finished profilers in an output. Safe without trust: only numbers and texts, shown as text; nothing is executed. */
export class RenderedProfile extends Panel implements IRenderMime.IRenderer {
  constructor(private readonly services: ProfileViewServices) {
    super();
    this.addClass('dp-RenderedProfile');
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    for (const shown of [...this.widgets]) {
      shown.dispose();
    }
    this.addWidget(new ProfileView(readProfile(model.data[PROFILE_MIME_TYPE]), this.services));
    return Promise.resolve();
  }
}
