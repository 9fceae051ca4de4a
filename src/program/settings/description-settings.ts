/** Takes the options of the description from the settings. */
import type { DescriptionOptions } from '../../extensions/description/description-options.ts';
import type { Settings } from './settings.ts';

export const descriptionSettings = (settings: Settings): DescriptionOptions => ({
  title: settings.title,
  version: settings.infoVersion,
  description: settings.description,
  termsOfService: settings.termsOfService,
  contact: { name: settings.contactName, url: settings.contactUrl, email: settings.contactEmail },
  license: { name: settings.licenseName, url: settings.licenseUrl },
  comments: settings.comments,
});
