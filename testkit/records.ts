/** Creation records as the interface gives them. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'bearer';
}

export interface CreatedPlatform extends TokenPair {
  readonly id: string;
  readonly platform: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CreatedUser extends TokenPair {
  readonly user_id: string;
  readonly platform_id: string;
  readonly platform_user_id: string;
}
